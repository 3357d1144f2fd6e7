package heddle.rewrite;

import heddle.runtime.Watched;
import heddle.runtime.Watches;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Inserted around a call that a property mentions: passes the receiver, the arguments and the result to Watched, as objects. */
final class WatchedCalls {
  private static final String WATCHED = "heddle/runtime/Watched";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String STRING = "Ljava/lang/String;";

  private final MethodVisitor mv;
  private final String owner;
  private final String name;
  private final Type[] args;
  private final Type result;
  private final boolean execution;
  /** Does some property speak of the moment before, and of that after? How many arguments does it want to know? */
  private final boolean isBefore;
  private final boolean isAfter;
  private final int wantedBefore;
  private final int wantedAfter;
  private final int site;
  private final int[] at;
  private int receiver = -1;
  private int free;

  /** `behind`: variables from here on are free. */
  WatchedCalls(MethodVisitor mv, int behind, String owner, String name, String desc, boolean execution, int site) {
    this.mv = mv;
    this.owner = owner;
    this.name = name;
    this.site = site;
    this.execution = execution;
    args = Type.getArgumentTypes(desc);
    isBefore = Watches.wants(owner, name, execution, false);
    isAfter = Watches.wants(owner, name, execution, true);
    wantedBefore = Math.min(args.length, Watches.argsOf(name, execution, false));
    // Parameters may have been used for something else by then.
    wantedAfter = execution ? 0 : Math.min(args.length, Watches.argsOf(name, execution, true));
    result = Type.getReturnType(desc);
    at = new int[args.length];
    free = behind;
  }

  /** Does some property speak of it? `type`: of the receiver, as far as the code says it. */
  static boolean concerns(String type, String name, boolean execution) {
    return Watches.wants(type, name, execution, false) || Watches.wants(type, name, execution, true);
  }

  /** The operands are on the stack, and are there again afterwards. */
  void before(boolean hasReceiver) {
    for (int i = args.length - 1; i >= 0; i--) {
      at[i] = free;
      free += args[i].getSize();
      mv.visitVarInsn(args[i].getOpcode(Opcodes.ISTORE), at[i]);
    }
    if (hasReceiver) {
      receiver = free++;
      mv.visitVarInsn(Opcodes.ASTORE, receiver);
    }
    tell();
    if (receiver >= 0) mv.visitVarInsn(Opcodes.ALOAD, receiver);
    for (int i = 0; i < args.length; i++) mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
  }

  /** The operands are the parameters of the method. */
  void parameters(boolean isStatic) {
    int next = isStatic ? 0 : 1;
    receiver = isStatic ? -1 : 0;
    for (int i = 0; i < args.length; i++) {
      at[i] = next;
      next += args[i].getSize();
    }
    tell();
  }

  /** The result is on the stack, and stays there. */
  void after() {
    if (!isAfter) return;
    int kept = free;
    if (result.getSort() != Type.VOID) {
      mv.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      box(result);
      mv.visitVarInsn(Opcodes.ASTORE, kept);
    }
    boolean isVoid = result.getSort() == Type.VOID;
    int given = operands(wantedAfter);
    if (isVoid) mv.visitInsn(Opcodes.ACONST_NULL);
    else mv.visitVarInsn(Opcodes.ALOAD, kept);
    names("after", given, OBJECT, isVoid ? Watched.NO_RESULT : 0);
  }

  private void tell() {
    if (isBefore) names("before", operands(wantedBefore), "", 0);
  }

  private static final String[] GIVEN = {"", OBJECT, "[" + OBJECT};

  private void names(String hook, int given, String result, int flags) {
    mv.visitLdcInsn(owner);
    mv.visitLdcInsn(name);
    mv.visitLdcInsn(flags | (execution ? Watched.EXECUTION : 0));
    mv.visitLdcInsn(site);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCHED, hook, "(" + OBJECT + GIVEN[given] + result + STRING + STRING + "II)V", false);
  }

  /** The receiver and what is wanted of the arguments: 0: nothing, 1: the first, 2: an array. */
  private int operands(int count) {
    if (receiver >= 0) mv.visitVarInsn(Opcodes.ALOAD, receiver);
    else mv.visitInsn(Opcodes.ACONST_NULL);
    if (count <= 1) {
      if (count == 1) argument(0);
      return count;
    }
    mv.visitLdcInsn(count);
    mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    for (int i = 0; i < count; i++) {
      mv.visitInsn(Opcodes.DUP);
      mv.visitLdcInsn(i);
      argument(i);
      mv.visitInsn(Opcodes.AASTORE);
    }
    return 2;
  }

  private void argument(int i) {
    mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
    box(args[i]);
  }

  private void box(Type type) {
    String box;
    switch (type.getSort()) {
      case Type.BOOLEAN:
        box = "Boolean";
        break;
      case Type.CHAR:
        box = "Character";
        break;
      case Type.BYTE:
        box = "Byte";
        break;
      case Type.SHORT:
        box = "Short";
        break;
      case Type.INT:
        box = "Integer";
        break;
      case Type.LONG:
        box = "Long";
        break;
      case Type.FLOAT:
        box = "Float";
        break;
      case Type.DOUBLE:
        box = "Double";
        break;
      default:
        return;
    }
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/" + box, "valueOf", "(" + type.getDescriptor() + ")Ljava/lang/" + box + ";", false);
  }
}
