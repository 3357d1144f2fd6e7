package heddle.rewrite;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Around a call that some property speaks of: the receiver, the arguments and the result are given to Watched, as objects. */
final class WatchedCalls {
  private static final String WATCHED = "heddle/runtime/Watched";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String STRING = "Ljava/lang/String;";

  private final MethodVisitor mv;
  private final String owner;
  private final String name;
  private final Type[] args;
  private final Type result;
  private final int execution;
  private final int site;
  private final int[] at;
  private int receiver = -1;
  private int free;
  private boolean ending;

  /** `behind`: variables from here on are free. */
  WatchedCalls(MethodVisitor mv, int behind, String owner, String name, String desc, boolean execution, int site) {
    this.mv = mv;
    this.owner = owner;
    this.name = name;
    this.site = site;
    this.execution = execution ? 1 : 0;
    args = Type.getArgumentTypes(desc);
    result = Type.getReturnType(desc);
    at = new int[args.length];
    free = behind;
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
    tell("before");
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
    tell("before");
  }

  /** The result is on the stack, and stays there. */
  void after() {
    ending = true;
    int kept = free;
    if (result.getSort() != Type.VOID) {
      mv.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      box(result);
      mv.visitVarInsn(Opcodes.ASTORE, kept);
    }
    operands();
    if (result.getSort() == Type.VOID) mv.visitInsn(Opcodes.ACONST_NULL);
    else mv.visitVarInsn(Opcodes.ALOAD, kept);
    names("after", "(" + OBJECT + "[" + OBJECT + OBJECT + STRING + STRING + "II)V");
  }

  private void tell(String hook) {
    operands();
    names(hook, "(" + OBJECT + "[" + OBJECT + STRING + STRING + "II)V");
  }

  private void names(String hook, String desc) {
    mv.visitLdcInsn(owner);
    mv.visitLdcInsn(name);
    mv.visitLdcInsn(execution);
    mv.visitLdcInsn(site);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, WATCHED, hook, desc, false);
  }

  private void operands() {
    if (receiver >= 0) mv.visitVarInsn(Opcodes.ALOAD, receiver);
    else mv.visitInsn(Opcodes.ACONST_NULL);
    // Parameters may have been used for something else by now.
    int count = execution != 0 && ending ? 0 : args.length;
    mv.visitLdcInsn(count);
    mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    for (int i = 0; i < count; i++) {
      mv.visitInsn(Opcodes.DUP);
      mv.visitLdcInsn(i);
      mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
      box(args[i]);
      mv.visitInsn(Opcodes.AASTORE);
    }
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
