package heddle.rewrite;

import heddle.runtime.Calls;
import heddle.runtime.Tables;
import heddle.runtime.Watched;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
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
  private static final String TASK = "Lheddle/runtime/Task;";

  private final ObservedClass.Place place;
  private final String desc;
  private final boolean isStatic;
  /** It was synchronized: the monitor is taken here, so that the gate comes before the lock. */
  private final boolean monitor;
  private final int version;
  private final MethodInfo info;
  private int line;
  /** In a constructor before `super()`: objects that are being made, and this one is not made yet. */
  private boolean unmade;
  private int news;
  /** The first variable behind those of the method, and how many are in use there. */
  private final int behind;
  private int used;
  /** Of a method that was synchronized: where its monitor is held. */
  private Label begin = new Label();
  private final List<Label> ranges = new ArrayList<>();
  private int clinit;

  ObservedMethod(MethodVisitor next, ObservedClass.Place place, String desc, boolean isStatic, boolean monitor, int version, MethodInfo info) {
    super(Opcodes.ASM9, next);
    this.place = place;
    this.desc = desc;
    this.isStatic = isStatic;
    this.monitor = monitor;
    this.version = version;
    this.info = info;
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
    if (clinit != 0) super.visitLabel(begin);
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
    live = true;
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

  private void initialised() {
    push(clinit);
    push(site());
    hook("initialised", "(II)V");
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    if (monitor || clinit != 0) {
      Label thrown = new Label();
      Label told = new Label();
      Label untold = new Label();
      // As compilers write it: the monitor is held in all of a range, and nowhere else. The JVM compiles nothing else.
      if (live) {
        ranges.add(begin);
        ranges.add(thrown);
      }
      for (int i = 0; i < ranges.size(); i += 2) super.visitTryCatchBlock(ranges.get(i), ranges.get(i + 1), thrown, null);
      super.visitTryCatchBlock(thrown, told, untold, null);
      caught(thrown);
      if (monitor) exiting();
      if (clinit != 0) initialised();
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
    if (monitor) {
      lock();
      super.visitInsn(Opcodes.MONITOREXIT);
    }
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
    next();
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
    labelCount++;
    if (taken >= 0 && (version < Opcodes.V1_6 || info.framed.get(labelCount))) tellTaken();
    super.visitLabel(label);
  }

  private int labelCount;
  /** The variable with a monitor that was taken, and of which nothing was said yet: that is done inside the range of its handler. */
  private int taken = -1;
  private int takenSite;

  private void tellTaken() {
    int at = taken;
    taken = -1;
    super.visitVarInsn(Opcodes.ALOAD, at);
    push(takenSite);
    hook("entered", "(" + OBJECT + "I)V");
  }

  /** Is there code behind the last begin of a range? */
  private boolean live;

  /** Before every instruction. */
  private void next() {
    live = true;
    if (taken >= 0) tellTaken();
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
    next();
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
        first("read", "(" + OBJECT + "II)");
        super.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.GETSTATIC:
        // Its class is initialised before the stripe is taken.
        super.visitFieldInsn(opcode, owner, name, desc);
        super.visitInsn(isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        push(id);
        push(site());
        first("readStatic", "(II)");
        super.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.PUTFIELD: {
        int at = store(desc);
        super.visitInsn(Opcodes.DUP);
        push(id);
        push(site());
        first("write", "(" + OBJECT + "II)");
        load(desc, at);
        super.visitFieldInsn(opcode, owner, name, desc);
        wrote(desc, at);
        break;
      }
      default: {
        int at = store(desc);
        super.visitFieldInsn(Opcodes.GETSTATIC, owner, name, desc);
        super.visitInsn(isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        push(id);
        push(site());
        first("writeStatic", "(II)");
        load(desc, at);
        super.visitFieldInsn(opcode, owner, name, desc);
        wrote(desc, at);
      }
    }
  }

  /** The first half of an access: it gives the task, which is kept for the second. */
  private void first(String name, String operands) {
    hook(name, operands + TASK);
    super.visitVarInsn(Opcodes.ASTORE, behind);
  }

  /** The second half: the value that was read is on the stack, and stays there. */
  private void saw(String desc) {
    super.visitInsn(isWide(desc) ? Opcodes.DUP2 : Opcodes.DUP);
    second(desc);
  }

  private void wrote(String desc, int at) {
    load(desc, at);
    second(desc);
    used = 0;
  }

  private void second(String desc) {
    super.visitVarInsn(Opcodes.ALOAD, behind);
    char kind = desc.charAt(0);
    boolean object = kind == 'L' || kind == '[';
    String letter = object ? "A" : kind == 'J' || kind == 'D' || kind == 'F' ? desc : "I";
    hook("saw" + letter, "(" + (object ? OBJECT : letter) + TASK + ")V");
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

  private int store(String desc) {
    int at = temp(isWide(desc) ? 2 : 1);
    super.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ISTORE), at);
    return at;
  }

  private void load(String desc, int at) {
    super.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ILOAD), at);
  }

  /** The first one is for the task. */
  private int temp(int size) {
    int at = behind + 1 + used;
    used += size;
    return at;
  }

  @Override
  public void visitInsn(int opcode) {
    next();
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
        taken = behind;
        takenSite = site();
        super.visitVarInsn(Opcodes.ASTORE, behind);
        super.visitInsn(opcode);
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
        if (clinit != 0) initialised();
        if (execution != null) execution.after();
        if (!monitor && clinit == 0) {
          super.visitInsn(opcode);
          return;
        }
        if (monitor) exit();
        Label end = new Label();
        super.visitLabel(end);
        ranges.add(begin);
        ranges.add(end);
        super.visitInsn(opcode);
        begin = new Label();
        super.visitLabel(begin);
        live = false;
        return;
      default:
        super.visitInsn(opcode);
    }
  }

  private void element(int opcode, String desc) {
    super.visitInsn(Opcodes.DUP2);
    push(site());
    first("load", "(" + OBJECT + "II)");
    super.visitInsn(opcode);
    saw(desc);
  }

  private void intoArray(int opcode, String desc) {
    int at = store(desc);
    super.visitInsn(Opcodes.DUP2);
    boolean object = desc.equals(OBJECT);
    if (object) load(desc, at);
    push(site());
    first(object ? "storeA" : "store", "(" + OBJECT + "I" + (object ? OBJECT : "") + "I)");
    load(desc, at);
    super.visitInsn(opcode);
    wrote(desc, at);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    next();
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    next();
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String desc, Handle bootstrap, Object... args) {
    next();
    super.visitInvokeDynamicInsn(name, desc, bootstrap, args);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    next();
    super.visitJumpInsn(opcode, label);
  }

  @Override
  public void visitLdcInsn(Object value) {
    next();
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int by) {
    next();
    super.visitIincInsn(variable, by);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
    next();
    super.visitTableSwitchInsn(min, max, otherwise, targets);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
    next();
    super.visitLookupSwitchInsn(otherwise, keys, targets);
  }

  @Override
  public void visitMultiANewArrayInsn(String desc, int dimensions) {
    next();
    super.visitMultiANewArrayInsn(desc, dimensions);
  }

  // Calls.

  @Override
  public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean isInterface) {
    next();
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
    return (Type.getArgumentsAndReturnSizes(desc) >> 2) + 6;
  }

  private void made(int opcode, String owner, String name, String desc, boolean isInterface) {
    if (replaced(opcode, owner, name, desc)) return;
    if (!unmade && HandleCalls.concerns(owner, name, desc)) {
      new HandleCalls(mv, behind + 1, site()).visit(opcode, owner, name, desc, isInterface);
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
