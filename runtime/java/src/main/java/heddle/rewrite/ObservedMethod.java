package heddle.rewrite;

import heddle.runtime.Calls;
import heddle.runtime.Tables;
import heddle.runtime.Watched;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The code of one method. Instructions stay where they are, with hooks before and after. Operands that are in the way are put into variables behind those of the method, and
 * are back before anything can jump: frames need not know of them.
 */
final class ObservedMethod extends MethodVisitor {
  private static final String HD = "heddle/runtime/Hd";
  private static final String CALLS = "heddle/runtime/Calls";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final ObservedClass.Place place;
  private final String desc;
  private final boolean isStatic;
  /** It was synchronized: the monitor is taken here, so that the gate comes before the lock. */
  private final boolean monitor;
  private final int version;
  private int line;
  /** In a constructor before `super()`: objects that are being made, and this one is not made yet. */
  private boolean unmade;
  private int news;
  /** The first variable behind those of the method, and how many are in use there. */
  private final int behind;
  private int used;
  private final Label begin = new Label();
  private int clinit;

  ObservedMethod(MethodVisitor next, ObservedClass.Place place, String desc, boolean isStatic, boolean monitor, int version, MethodInfo info) {
    super(Opcodes.ASM9, next);
    this.place = place;
    this.desc = desc;
    this.isStatic = isStatic;
    this.monitor = monitor;
    this.version = version;
    behind = info.variables;
    line = info.firstLine;
    unmade = place.method.equals("<init>");
  }

  // Small pieces.

  private int site() {
    return place.site(line);
  }

  private void push(int n) {
    if (n >= -1 && n <= 5) super.visitInsn(Opcodes.ICONST_0 + n);
    else if (n >= Byte.MIN_VALUE && n <= Byte.MAX_VALUE) super.visitIntInsn(Opcodes.BIPUSH, n);
    else if (n >= Short.MIN_VALUE && n <= Short.MAX_VALUE) super.visitIntInsn(Opcodes.SIPUSH, n);
    else super.visitLdcInsn(n);
  }

  private void hook(String name, String desc) {
    super.visitMethodInsn(Opcodes.INVOKESTATIC, HD, name, desc, false);
  }

  private void call(String name, String desc) {
    super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, name, desc, false);
  }

  // Begin and end.

  @Override
  public void visitCode() {
    super.visitCode();
    if (place.method.equals("<clinit>")) {
      clinit = Tables.type(place.owner.replace('/', '.'));
      push(clinit);
      push(site());
      hook("initialising", "(II)V");
    }
    if (monitor) enter();
    if (!place.method.startsWith("<") && Watched.wants(place.method, true)) {
      execution = new WatchedCalls(mv, behind + roomFor(desc), place.owner, place.method, desc, true, site());
      execution.parameters(isStatic);
    }
  }

  private WatchedCalls execution;

  private void lock() {
    if (isStatic) super.visitLdcInsn(Type.getObjectType(place.owner));
    else super.visitVarInsn(Opcodes.ALOAD, 0);
  }

  private void enter() {
    lock();
    push(site());
    hook("entering", "(" + OBJECT + "I)V");
    lock();
    super.visitInsn(Opcodes.MONITORENTER);
    super.visitLabel(begin);
    lock();
    push(site());
    hook("entered", "(" + OBJECT + "I)V");
  }

  private void exiting() {
    lock();
    push(site());
    hook("exiting", "(" + OBJECT + "I)V");
  }

  private void exit() {
    exiting();
    lock();
    super.visitInsn(Opcodes.MONITOREXIT);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    if (monitor) {
      Label thrown = new Label();
      Label told = new Label();
      Label untold = new Label();
      super.visitTryCatchBlock(begin, thrown, thrown, null);
      super.visitTryCatchBlock(thrown, told, untold, null);
      caught(thrown);
      exiting();
      super.visitLabel(told);
      throwFree();
      // There is no stack left to say it.
      caught(untold);
      throwFree();
    }
    super.visitMaxs(maxStack, maxLocals);
  }

  private void caught(Label handler) {
    super.visitLabel(handler);
    if (version < Opcodes.V1_6) return;
    Object[] locals = isStatic ? new Object[0] : new Object[] {place.owner};
    super.visitFrame(Opcodes.F_FULL, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
  }

  private void throwFree() {
    lock();
    super.visitInsn(Opcodes.MONITOREXIT);
    super.visitInsn(Opcodes.ATHROW);
  }

  @Override
  public void visitLineNumber(int line, Label start) {
    this.line = line;
    super.visitLineNumber(line, start);
  }

  // Instructions.

  @Override
  public void visitTypeInsn(int opcode, String type) {
    if (opcode == Opcodes.NEW) {
      if (unmade) news++;
      if (uses(type)) {
        Label now = new Label();
        super.visitLabel(now);
        for (Label one : labels) {
          movedFrom.add(one);
          movedTo.add(now);
        }
      }
      labels.clear();
    }
    super.visitTypeInsn(opcode, type);
  }

  /** Frames name an object that is being made by the label of its instruction, which is behind a hook now. */
  private final List<Label> labels = new ArrayList<>();
  private final List<Label> movedFrom = new ArrayList<>();
  private final List<Label> movedTo = new ArrayList<>();

  @Override
  public void visitLabel(Label label) {
    labels.add(label);
    super.visitLabel(label);
  }

  @Override
  public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
    super.visitFrame(type, numLocal, labelled(numLocal, local), numStack, labelled(numStack, stack));
  }

  private Object[] labelled(int count, Object[] types) {
    if (movedFrom.isEmpty() || types == null) return types;
    Object[] now = types.clone();
    for (int i = 0; i < count && i < now.length; i++) {
      if (!(now[i] instanceof Label)) continue;
      for (int k = 0; k < movedFrom.size(); k++) if (movedFrom.get(k) == now[i]) now[i] = movedTo.get(k);
    }
    return now;
  }

  /** Before a class of the program is used that has something to initialise. */
  private boolean uses(String type) {
    if (type.equals(place.owner) || type.startsWith("[") || !Rewriter.isObserved(type, place.loader)) return false;
    ClassInfo info = ClassInfo.of(type, place.loader);
    if (info == null || !info.initialises) return false;
    push(Tables.type(type.replace('/', '.')));
    push(site());
    hook("uses", "(II)V");
    return true;
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String desc) {
    if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) uses(owner);
    ClassInfo.Field found = ClassInfo.field(owner, name, desc, place.loader);
    boolean isFinal = found.access >= 0 && (found.access & Opcodes.ACC_FINAL) != 0;
    boolean hidden = found.access >= 0 && (found.access & Opcodes.ACC_SYNTHETIC) != 0;
    if (isFinal || hidden || !Rewriter.isObserved(found.owner, place.loader) || unmade && owner.equals(place.owner) && opcode != Opcodes.GETSTATIC && opcode != Opcodes.PUTSTATIC) {
      super.visitFieldInsn(opcode, owner, name, desc);
      boolean names = isFinal && !hidden && (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) && mayBeMet(desc);
      if (names && !unmade && Rewriter.isObserved(found.owner, place.loader)) named(found.owner, name, desc, found.access);
      return;
    }
    int id = Tables.field(found.owner.replace('/', '.'), name, desc, found.access);
    if (found.access >= 0 && (found.access & Opcodes.ACC_VOLATILE) != 0) id = -id;
    switch (opcode) {
      case Opcodes.GETFIELD:
        super.visitInsn(Opcodes.DUP);
        push(id);
        push(site());
        hook("read", "(" + OBJECT + "II)V");
        super.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.GETSTATIC:
        // Its class is initialised before the stripe is taken.
        super.visitFieldInsn(opcode, owner, name, desc);
        super.visitInsn(isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        push(id);
        push(site());
        hook("readStatic", "(II)V");
        super.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.PUTFIELD: {
        int at = store(desc);
        super.visitInsn(Opcodes.DUP);
        loadWord(desc, at);
        push(id);
        push(site());
        hook("write" + letter(desc), "(" + OBJECT + wordOf(desc) + "II)V");
        load(desc, at);
        super.visitFieldInsn(opcode, owner, name, desc);
        hook("wrote", "()V");
        break;
      }
      default: {
        int at = store(desc);
        super.visitFieldInsn(Opcodes.GETSTATIC, owner, name, desc);
        super.visitInsn(isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        loadWord(desc, at);
        push(id);
        push(site());
        hook("writeStatic" + letter(desc), "(" + wordOf(desc) + "II)V");
        load(desc, at);
        super.visitFieldInsn(opcode, owner, name, desc);
        hook("wrote", "()V");
      }
    }
  }

  /** Locks, collections, arrays: what threads meet at, and what has no name of its own. */
  private static boolean mayBeMet(String desc) {
    return desc.startsWith("[") || desc.startsWith("Ljava/util/") || desc.equals(OBJECT);
  }

  /** What was just read from a final field is called by it. */
  private void named(String owner, String name, String desc, int access) {
    super.visitInsn(Opcodes.DUP);
    push(Tables.field(owner.replace('/', '.'), name, desc, access));
    hook("held", "(" + OBJECT + "I)V");
  }

  private static boolean isWide(String desc) {
    return desc.equals("J") || desc.equals("D");
  }

  /** I, J or A: how a value is given to a hook. Floats and doubles go as their bits. */
  private static String letter(String desc) {
    switch (desc.charAt(0)) {
      case 'J':
      case 'D':
        return "J";
      case 'L':
      case '[':
        return "A";
      default:
        return "I";
    }
  }

  private static String wordOf(String desc) {
    String letter = letter(desc);
    return letter.equals("A") ? OBJECT : letter;
  }

  private int store(String desc) {
    int at = temp(isWide(desc) ? 2 : 1);
    super.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ISTORE), at);
    return at;
  }

  private void load(String desc, int at) {
    super.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ILOAD), at);
    used = 0;
  }

  private void loadWord(String desc, int at) {
    super.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ILOAD), at);
    if (desc.equals("F")) super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Float", "floatToRawIntBits", "(F)I", false);
    else if (desc.equals("D")) super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J", false);
  }

  private int temp(int size) {
    int at = behind + used;
    used += size;
    return at;
  }

  private void saw(String desc) {
    switch (desc.charAt(0)) {
      case 'J':
        super.visitInsn(Opcodes.DUP2);
        hook("sawJ", "(J)V");
        break;
      case 'D':
        super.visitInsn(Opcodes.DUP2);
        hook("sawD", "(D)V");
        break;
      case 'F':
        super.visitInsn(Opcodes.DUP);
        hook("sawF", "(F)V");
        break;
      case 'L':
      case '[':
        super.visitInsn(Opcodes.DUP);
        hook("sawA", "(" + OBJECT + ")V");
        break;
      default:
        super.visitInsn(Opcodes.DUP);
        hook("sawI", "(I)V");
    }
  }

  @Override
  public void visitInsn(int opcode) {
    switch (opcode) {
      case Opcodes.IALOAD:
      case Opcodes.BALOAD:
      case Opcodes.CALOAD:
      case Opcodes.SALOAD:
        element(opcode, "I");
        return;
      case Opcodes.LALOAD:
        element(opcode, "J");
        return;
      case Opcodes.FALOAD:
        element(opcode, "F");
        return;
      case Opcodes.DALOAD:
        element(opcode, "D");
        return;
      case Opcodes.AALOAD:
        element(opcode, OBJECT);
        return;
      case Opcodes.IASTORE:
      case Opcodes.BASTORE:
      case Opcodes.CASTORE:
      case Opcodes.SASTORE:
        intoArray(opcode, "I");
        return;
      case Opcodes.LASTORE:
        intoArray(opcode, "J");
        return;
      case Opcodes.FASTORE:
        intoArray(opcode, "F");
        return;
      case Opcodes.DASTORE:
        intoArray(opcode, "D");
        return;
      case Opcodes.AASTORE:
        intoArray(opcode, OBJECT);
        return;
      case Opcodes.MONITORENTER:
        super.visitInsn(Opcodes.DUP);
        push(site());
        hook("entering", "(" + OBJECT + "I)V");
        super.visitInsn(Opcodes.DUP);
        super.visitInsn(opcode);
        push(site());
        hook("entered", "(" + OBJECT + "I)V");
        return;
      case Opcodes.MONITOREXIT:
        super.visitInsn(Opcodes.DUP);
        push(site());
        hook("exiting", "(" + OBJECT + "I)V");
        super.visitInsn(opcode);
        return;
      case Opcodes.RETURN:
      case Opcodes.IRETURN:
      case Opcodes.LRETURN:
      case Opcodes.FRETURN:
      case Opcodes.DRETURN:
      case Opcodes.ARETURN:
        if (clinit != 0) {
          push(clinit);
          push(site());
          hook("initialised", "(II)V");
        }
        if (execution != null) execution.after();
        if (monitor) exit();
        super.visitInsn(opcode);
        return;
      default:
        super.visitInsn(opcode);
    }
  }

  private void element(int opcode, String desc) {
    super.visitInsn(Opcodes.DUP2);
    push(site());
    hook("load", "(" + OBJECT + "II)V");
    super.visitInsn(opcode);
    saw(desc);
  }

  private void intoArray(int opcode, String desc) {
    int at = store(desc);
    super.visitInsn(Opcodes.DUP2);
    loadWord(desc, at);
    push(site());
    hook("store" + letter(desc), "(" + OBJECT + "I" + wordOf(desc) + "I)V");
    load(desc, at);
    super.visitInsn(opcode);
    hook("wrote", "()V");
  }

  // Calls.

  @Override
  public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean isInterface) {
    if (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")) {
      super.visitMethodInsn(opcode, owner, name, desc, isInterface);
      if (unmade && news > 0) news--;
      else if (unmade && (owner.equals(place.owner) || owner.equals(place.superName))) unmade = false;
      return;
    }
    if (opcode == Opcodes.INVOKESTATIC && Rewriter.isObserved(owner, place.loader)) uses(owner);
    if (unmade || opcode == Opcodes.INVOKESPECIAL || owner.startsWith("[") || !Watched.wants(name, false)) {
      made(opcode, owner, name, desc, isInterface);
      return;
    }
    WatchedCalls watched = new WatchedCalls(mv, behind + roomFor(desc), owner, name, desc, false, site());
    watched.before(opcode != Opcodes.INVOKESTATIC);
    made(opcode, owner, name, desc, isInterface);
    watched.after();
  }

  /** Other hooks around the same call come first: they need its operands, and its result. */
  private static int roomFor(String desc) {
    return (Type.getArgumentsAndReturnSizes(desc) >> 2) + 4;
  }

  private void made(int opcode, String owner, String name, String desc, boolean isInterface) {
    if (replaced(opcode, owner, name, desc)) return;
    if (!unmade && HandleCalls.concerns(owner, name, desc)) {
      new HandleCalls(mv, behind, site()).visit(opcode, owner, name, desc, isInterface);
      return;
    }
    // A call of the method above in its class: the one below was seen.
    int code = unmade || opcode == Opcodes.INVOKESPECIAL ? -1 : Sites.codeOf(owner, name, desc, place.loader);
    if (code < 0) {
      super.visitMethodInsn(opcode, owner, name, desc, isInterface);
      return;
    }
    around(code, opcode, owner, name, desc, isInterface);
  }

  /** Calls that Heddle makes in place of the program. */
  private boolean replaced(int opcode, String owner, String name, String desc) {
    if (opcode == Opcodes.INVOKESTATIC) {
      if (!owner.equals("java/lang/Thread")) return false;
      if (name.equals("sleep") && (desc.equals("(J)V") || desc.equals("(JI)V"))) return instead("sleep", desc.replace(")V", "I)V"));
      return (name.equals("yield") || name.equals("onSpinWait")) && instead("yield", "(I)V");
    }
    if (opcode != Opcodes.INVOKEVIRTUAL || unmade) return false;
    switch (name + desc) {
      case "wait()V":
        return instead("await", "(" + OBJECT + "I)V");
      case "wait(J)V":
        return instead("await", "(" + OBJECT + "JI)V");
      case "wait(JI)V":
        return instead("await", "(" + OBJECT + "JII)V");
      case "notify()V":
        return instead("notifyOne", "(" + OBJECT + "I)V");
      case "notifyAll()V":
        return instead("notifyAll", "(" + OBJECT + "I)V");
      case "join()V":
      case "join(J)V":
      case "join(JI)V":
        return isThread(owner) && instead("join", "(Ljava/lang/Thread;" + desc.substring(1).replace(")V", "I)V"));
      case "isAlive()Z":
        return isThread(owner) && instead("isAlive", "(Ljava/lang/Thread;I)Z");
      case "interrupt()V":
        return isThread(owner) && instead("interrupt", "(Ljava/lang/Thread;I)V");
      case "sleep(J)V":
        return owner.equals("java/util/concurrent/TimeUnit") && instead("sleep", "(Ljava/util/concurrent/TimeUnit;JI)V");
      default:
        return false;
    }
  }

  private boolean isThread(String owner) {
    return ClassInfo.isA(owner, "java/lang/Thread", place.loader);
  }

  private boolean instead(String name, String desc) {
    push(site());
    call(name, desc);
    return true;
  }

  private static final String BEFORE = "(" + OBJECT + OBJECT + "JII)V";

  private void around(int code, int opcode, String owner, String name, String desc, boolean isInterface) {
    Type[] args = Type.getArgumentTypes(desc);
    int[] at = new int[args.length];
    for (int i = args.length - 1; i >= 0; i--) {
      at[i] = temp(args[i].getSize());
      super.visitVarInsn(args[i].getOpcode(Opcodes.ISTORE), at[i]);
    }
    int receiver = -1;
    if (opcode != Opcodes.INVOKESTATIC) {
      receiver = temp(1);
      super.visitVarInsn(Opcodes.ASTORE, receiver);
    }
    operands(args, at, receiver);
    push(code);
    push(site());
    call("before", BEFORE);
    if (receiver >= 0) super.visitVarInsn(Opcodes.ALOAD, receiver);
    for (int i = 0; i < args.length; i++) super.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
    super.visitMethodInsn(opcode, owner, name, desc, isInterface);
    if (code != Calls.MARK) after(code, Type.getReturnType(desc), args, at, receiver);
    used = 0;
  }

  /** The receiver, the first object and the first whole number among the arguments. */
  private void operands(Type[] args, int[] at, int receiver) {
    if (receiver >= 0) super.visitVarInsn(Opcodes.ALOAD, receiver);
    else super.visitInsn(Opcodes.ACONST_NULL);
    int first = -1;
    int number = -1;
    for (int i = 0; i < args.length; i++) {
      int sort = args[i].getSort();
      if (first < 0 && (sort == Type.OBJECT || sort == Type.ARRAY)) first = i;
      if (number < 0 && (sort == Type.INT || sort == Type.LONG)) number = i;
    }
    if (first >= 0) super.visitVarInsn(Opcodes.ALOAD, at[first]);
    else super.visitInsn(Opcodes.ACONST_NULL);
    if (number < 0) super.visitInsn(Opcodes.LCONST_1);
    else {
      super.visitVarInsn(args[number].getOpcode(Opcodes.ILOAD), at[number]);
      if (args[number].getSort() == Type.INT) super.visitInsn(Opcodes.I2L);
    }
  }

  private void after(int code, Type result, Type[] args, int[] at, int receiver) {
    int kept = -1;
    int sort = result.getSort();
    if (sort != Type.VOID) {
      kept = temp(result.getSize());
      super.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      super.visitVarInsn(result.getOpcode(Opcodes.ISTORE), kept);
    }
    operands(args, at, receiver);
    boolean object = sort == Type.OBJECT || sort == Type.ARRAY;
    if (object) super.visitVarInsn(Opcodes.ALOAD, kept);
    else if (sort == Type.LONG) super.visitVarInsn(Opcodes.LLOAD, kept);
    else if (sort == Type.VOID || sort == Type.FLOAT || sort == Type.DOUBLE) super.visitInsn(Opcodes.LCONST_1);
    else {
      super.visitVarInsn(Opcodes.ILOAD, kept);
      super.visitInsn(Opcodes.I2L);
    }
    push(code);
    push(site());
    call(object ? "afterA" : "afterN", "(" + OBJECT + OBJECT + "J" + (object ? OBJECT : "J") + "II)V");
  }
}
