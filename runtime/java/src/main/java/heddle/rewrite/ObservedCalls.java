package heddle.rewrite;

import heddle.runtime.Calls;
import heddle.runtime.Watches;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Calls in observed code: those that properties mention, those that Heddle replaces, and those of the JDK that synchronise threads. */
final class ObservedCalls {
  private static final String CALLS = "heddle/runtime/Calls";
  private static final String CLOCKS = "heddle/runtime/Clocks";
  private static final String REPLACED = "heddle/runtime/Replaced";

  private static final String BULK = "heddle/runtime/Bulk";

  private final Code code;

  ObservedCalls(Code code) {
    this.code = code;
  }

  void visit(int opcode, String owner, String name, String desc, boolean isInterface, boolean unmade) {
    if (opcode == Opcodes.INVOKESTATIC && Rewriter.isObserved(owner, code.place.loader)) code.uses(owner);
    boolean isSeen = !unmade && opcode != Opcodes.INVOKESPECIAL && !owner.startsWith("[") && WatchedCalls.concerns(owner, name, false);
    if (!isSeen || opcode == Opcodes.INVOKESTATIC && !Watches.wantsStatic(owner, name)) {
      made(opcode, owner, name, desc, isInterface, unmade);
      return;
    }
    WatchedCalls watched = new WatchedCalls(code.mv, code.behind + roomFor(desc), owner, name, desc, false, code.site());
    watched.before(opcode != Opcodes.INVOKESTATIC);
    made(opcode, owner, name, desc, isInterface, unmade);
    watched.after();
  }

  /** Other hooks around the same call come first: they need its operands, and its result. */
  static int roomFor(String desc) {
    return (Type.getArgumentsAndReturnSizes(desc) >> 2) + 6;
  }

  private void made(int opcode, String owner, String name, String desc, boolean isInterface, boolean unmade) {
    if (replaced(opcode, owner, name, desc, unmade)) return;
    if (!unmade && HandleCalls.concerns(owner, name, desc)) {
      new HandleCalls(code.mv, code.behind + 1, code.site()).visit(opcode, owner, name, desc, isInterface);
      return;
    }
    // A call of the method above in its class: the one below was seen.
    int what = unmade || opcode == Opcodes.INVOKESPECIAL ? -1 : Sites.codeOf(owner, name, desc, code.place.loader);
    if (what < 0) {
      boolean through = !unmade && opcode != Opcodes.INVOKESPECIAL && Sites.goesThrough(owner, name, desc);
      if (through) through(!name.equals("copyOf") || owner.equals("java/util/Set"));
      code.mv.visitMethodInsn(opcode, owner, name, desc, isInterface);
      if (through) code.call(BULK, "done", "()V");
      return;
    }
    around(what, opcode, owner, name, desc, isInterface);
  }

  /** What is on top of the stack may be a collection that the call goes through. */
  private void through(boolean iterates) {
    code.mv.visitInsn(Opcodes.DUP);
    code.push(code.site());
    code.call(BULK, iterates ? "through" : "copied", "(" + Code.OBJECT + "I)V");
  }

  /** A constructor of the JDK that copies a collection. */
  void copies(String owner, String desc, boolean isInterface) {
    through(Sites.iterates(owner));
    code.mv.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", desc, isInterface);
    code.call(BULK, "done", "()V");
  }

  /** Strings that are put together: collections among the parts are gone through. */
  boolean concatenates(String name, String desc, Handle bootstrap, Object... constants) {
    if (!bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory")) return false;
    Type[] args = Type.getArgumentTypes(desc);
    boolean any = false;
    for (Type one : args) any |= mayBeCollection(one);
    if (!any) return false;
    int[] at = new int[args.length];
    for (int i = args.length - 1; i >= 0; i--) {
      at[i] = code.temp(args[i].getSize());
      code.mv.visitVarInsn(args[i].getOpcode(Opcodes.ISTORE), at[i]);
    }
    for (int i = 0; i < args.length; i++) {
      code.mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
      if (mayBeCollection(args[i])) through(true);
    }
    code.free();
    code.mv.visitInvokeDynamicInsn(name, desc, bootstrap, constants);
    code.call(BULK, "done", "()V");
    return true;
  }

  private static boolean mayBeCollection(Type type) {
    return type.getDescriptor().startsWith("Ljava/util/") || type.getDescriptor().equals(Code.OBJECT);
  }

  /** Calls that Heddle makes in place of the program. */
  private boolean replaced(int opcode, String owner, String name, String desc, boolean unmade) {
    if (opcode == Opcodes.INVOKESTATIC) {
      if (clock(owner, name, desc)) return true;
      if (!owner.equals("java/lang/Thread")) return false;
      if (name.equals("sleep") && desc.equals("(Ljava/time/Duration;)V")) return instead("sleep", "(Ljava/time/Duration;I)V");
      if (name.equals("sleep") && (desc.equals("(J)V") || desc.equals("(JI)V"))) return instead("sleep", desc.replace(")V", "I)V"));
      return (name.equals("yield") || name.equals("onSpinWait")) && instead("yield", "(I)V");
    }
    if (opcode != Opcodes.INVOKEVIRTUAL || unmade) return false;
    switch (name + desc) {
      case "wait()V":
        return instead("await", "(" + Code.OBJECT + "I)V");
      case "wait(J)V":
        return instead("await", "(" + Code.OBJECT + "JI)V");
      case "wait(JI)V":
        return instead("await", "(" + Code.OBJECT + "JII)V");
      case "notify()V":
        return instead("notifyOne", "(" + Code.OBJECT + "I)V");
      case "notifyAll()V":
        return instead("notifyAll", "(" + Code.OBJECT + "I)V");
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

  /** Clocks and random numbers are the same in a replay. */
  private boolean clock(String owner, String name, String desc) {
    String called = owner + "." + name + desc;
    if (called.equals("java/lang/System.currentTimeMillis()J") || called.equals("java/lang/System.nanoTime()J") || called.equals("java/lang/Math.random()D")) {
      code.call(CLOCKS, name, desc);
      return true;
    }
    if (!owner.startsWith("java/time/") || !name.equals("now") || !desc.startsWith("()")) return false;
    code.call(CLOCKS, "now", "()Ljava/time/Clock;");
    code.call(owner, name, "(Ljava/time/Clock;)" + desc.substring(2));
    return true;
  }

  /** `new Random()`, `new Date()`: with a number that is the same in a replay. */
  static String construct(Code code, String owner, String desc) {
    if (!desc.equals("()V") || !owner.equals("java/util/Random") && !owner.equals("java/util/Date")) return desc;
    code.call(CLOCKS, owner.endsWith("Date") ? "currentTimeMillis" : "seed", "()J");
    return "(J)V";
  }

  private boolean isThread(String owner) {
    return ClassInfo.isA(owner, "java/lang/Thread", code.place.loader);
  }

  private boolean instead(String name, String desc) {
    code.push(code.site());
    code.call(REPLACED, name, desc);
    return true;
  }

  private static final String BEFORE = "(" + Code.OBJECT + Code.OBJECT + "JII)V";

  private void around(int what, int opcode, String owner, String name, String desc, boolean isInterface) {
    Type[] args = Type.getArgumentTypes(desc);
    int[] at = new int[args.length];
    for (int i = args.length - 1; i >= 0; i--) {
      at[i] = code.temp(args[i].getSize());
      code.mv.visitVarInsn(args[i].getOpcode(Opcodes.ISTORE), at[i]);
    }
    int receiver = -1;
    if (opcode != Opcodes.INVOKESTATIC) {
      receiver = code.temp(1);
      code.mv.visitVarInsn(Opcodes.ASTORE, receiver);
    }
    operands(args, at, receiver);
    code.push(what);
    code.push(code.site());
    code.call(CALLS, "before", BEFORE);
    if (receiver >= 0) code.mv.visitVarInsn(Opcodes.ALOAD, receiver);
    for (int i = 0; i < args.length; i++) code.mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
    code.mv.visitMethodInsn(opcode, owner, name, desc, isInterface);
    if (what != Calls.MARK) after(what, Type.getReturnType(desc), args, at, receiver);
    code.free();
  }

  /** The receiver, the first object and the first whole number among the arguments. */
  private void operands(Type[] args, int[] at, int receiver) {
    if (receiver >= 0) code.mv.visitVarInsn(Opcodes.ALOAD, receiver);
    else code.mv.visitInsn(Opcodes.ACONST_NULL);
    int first = -1;
    int number = -1;
    for (int i = 0; i < args.length; i++) {
      int sort = args[i].getSort();
      if (first < 0 && (sort == Type.OBJECT || sort == Type.ARRAY)) first = i;
      if (number < 0 && (sort == Type.INT || sort == Type.LONG)) number = i;
    }
    if (first >= 0) code.mv.visitVarInsn(Opcodes.ALOAD, at[first]);
    else code.mv.visitInsn(Opcodes.ACONST_NULL);
    if (number < 0) code.mv.visitInsn(Opcodes.LCONST_1);
    else {
      code.mv.visitVarInsn(args[number].getOpcode(Opcodes.ILOAD), at[number]);
      if (args[number].getSort() == Type.INT) code.mv.visitInsn(Opcodes.I2L);
    }
  }

  private void after(int what, Type result, Type[] args, int[] at, int receiver) {
    int kept = -1;
    int sort = result.getSort();
    if (sort != Type.VOID) {
      kept = code.temp(result.getSize());
      code.mv.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      code.mv.visitVarInsn(result.getOpcode(Opcodes.ISTORE), kept);
    }
    operands(args, at, receiver);
    boolean object = sort == Type.OBJECT || sort == Type.ARRAY;
    if (object) code.mv.visitVarInsn(Opcodes.ALOAD, kept);
    else if (sort == Type.LONG) code.mv.visitVarInsn(Opcodes.LLOAD, kept);
    else if (sort == Type.VOID || sort == Type.FLOAT || sort == Type.DOUBLE) code.mv.visitInsn(Opcodes.LCONST_1);
    else {
      code.mv.visitVarInsn(Opcodes.ILOAD, kept);
      code.mv.visitInsn(Opcodes.I2L);
    }
    code.push(what);
    code.push(code.site());
    code.call(CALLS, object ? "afterA" : "afterN", "(" + Code.OBJECT + Code.OBJECT + "J" + (object ? Code.OBJECT : "J") + "II)V");
  }
}
