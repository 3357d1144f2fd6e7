package heddle.rewrite;

import heddle.runtime.Handles;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Inserts hooks around calls of VarHandle, of field updaters and of Unsafe, and where such handles are made. */
final class HandleCalls {
  private static final String HANDLES = "heddle/runtime/Handles";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String VAR = "java/lang/invoke/VarHandle";
  private static final String ATOMIC = "java/util/concurrent/atomic/Atomic";
  private static final Map<String, Integer> ops = new HashMap<>();

  private static void add(int op, String... names) {
    for (String name : names) ops.put(name, op);
  }

  static {
    add(Handles.GET, "get", "getVolatile", "getOpaque", "getAcquire");
    add(Handles.SET, "set", "setVolatile", "setOpaque", "setRelease", "lazySet");
    add(Handles.CAS, "compareAndSet", "weakCompareAndSet", "weakCompareAndSetPlain", "weakCompareAndSetAcquire", "weakCompareAndSetRelease");
    add(Handles.EXCHANGE, "compareAndExchange", "compareAndExchangeAcquire", "compareAndExchangeRelease");
    add(Handles.GET_AND_SET, "getAndSet", "getAndSetAcquire", "getAndSetRelease");
    add(Handles.GET_AND_ADD, "getAndAdd", "getAndAddAcquire", "getAndAddRelease", "getAndIncrement", "getAndDecrement");
    add(Handles.ADD_AND_GET, "addAndGet", "incrementAndGet", "decrementAndGet");
    add(Handles.OTHER, "getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor");
  }

  private static boolean isUnsafe(String owner) {
    return owner.equals("sun/misc/Unsafe") || owner.equals("jdk/internal/misc/Unsafe");
  }

  private static boolean isUpdater(String owner) {
    return owner.startsWith(ATOMIC) && owner.endsWith("FieldUpdater");
  }

  private static boolean makes(String owner, String name) {
    return name.equals("newUpdater") && isUpdater(owner)
        || (name.equals("findVarHandle") || name.equals("findStaticVarHandle")) && owner.equals("java/lang/invoke/MethodHandles$Lookup")
        || name.equals("arrayElementVarHandle") && owner.equals("java/lang/invoke/MethodHandles")
        || name.equals("objectFieldOffset") && isUnsafe(owner);
  }

  private static int unsafeOp(String name) {
    if (name.startsWith("compareAndSwap") || name.startsWith("compareAndSet") || name.startsWith("weakCompareAndSet")) return Handles.CAS;
    if (name.startsWith("getAndAdd")) return Handles.GET_AND_ADD;
    if (name.startsWith("getAndSet")) return Handles.GET_AND_SET;
    if (name.startsWith("putOrdered") || name.startsWith("put") && name.endsWith("Volatile")) return Handles.SET;
    if (name.startsWith("get") && name.endsWith("Volatile")) return Handles.GET;
    return -1;
  }

  private static boolean isFloating(String desc) {
    Type result = Type.getReturnType(desc);
    for (Type one : Type.getArgumentTypes(desc)) if (one.getSort() == Type.FLOAT || one.getSort() == Type.DOUBLE) return true;
    return result.getSort() == Type.FLOAT || result.getSort() == Type.DOUBLE;
  }

  static boolean concerns(String owner, String name, String desc) {
    if (makes(owner, name)) return true;
    if (isFloating(desc)) return false;
    if (owner.equals(VAR) || isUpdater(owner)) return ops.containsKey(name);
    return isUnsafe(owner) && desc.startsWith("(" + OBJECT + "J") && unsafeOp(name) >= 0;
  }

  private final MethodVisitor mv;
  private final int site;
  private int free;

  HandleCalls(MethodVisitor mv, int behind, int site) {
    this.mv = mv;
    this.site = site;
    free = behind;
  }

  private int temp(Type type) {
    int at = free;
    free += type.getSize();
    return at;
  }

  void visit(int opcode, String owner, String name, String desc, boolean isInterface) {
    Type[] args = Type.getArgumentTypes(desc);
    int[] at = new int[args.length];
    for (int i = args.length - 1; i >= 0; i--) {
      at[i] = temp(args[i]);
      mv.visitVarInsn(args[i].getOpcode(Opcodes.ISTORE), at[i]);
    }
    int receiver = -1;
    if (opcode != Opcodes.INVOKESTATIC) {
      receiver = temp(Type.getObjectType(owner));
      mv.visitVarInsn(Opcodes.ASTORE, receiver);
    }
    boolean made = makes(owner, name);
    int op = made ? -1 : isUnsafe(owner) ? unsafeOp(name) : ops.get(name);
    int values = op == Handles.GET ? 0 : op == Handles.CAS || op == Handles.EXCHANGE ? 2 : name.contains("ncrement") || name.contains("ecrement") ? 0 : 1;
    if (!made) before(owner, op, args, at, receiver, args.length - values);
    if (receiver >= 0) mv.visitVarInsn(Opcodes.ALOAD, receiver);
    for (int i = 0; i < args.length; i++) mv.visitVarInsn(args[i].getOpcode(Opcodes.ILOAD), at[i]);
    mv.visitMethodInsn(opcode, owner, name, desc, isInterface);
    Type result = Type.getReturnType(desc);
    if (made) found(owner, name, args, at);
    else after(name, op, args, at, values, result);
  }

  private void found(String owner, String name, Type[] args, int[] at) {
    if (name.equals("objectFieldOffset")) {
      if (args.length != 1) return;
      mv.visitInsn(Opcodes.DUP2);
      mv.visitVarInsn(Opcodes.ALOAD, at[0]);
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "offset", "(J" + OBJECT + ")V", false);
      return;
    }
    mv.visitInsn(Opcodes.DUP);
    mv.visitVarInsn(Opcodes.ALOAD, at[0]);
    if (name.equals("arrayElementVarHandle")) mv.visitInsn(Opcodes.ACONST_NULL);
    else mv.visitVarInsn(Opcodes.ALOAD, at[owner.endsWith("ReferenceFieldUpdater") ? 2 : 1]);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "found", "(" + OBJECT + OBJECT + OBJECT + ")V", false);
  }

  private void before(String owner, int op, Type[] args, int[] at, int receiver, int coordinates) {
    boolean unsafe = isUnsafe(owner);
    if (!unsafe) mv.visitVarInsn(Opcodes.ALOAD, receiver);
    if (coordinates > 0) mv.visitVarInsn(Opcodes.ALOAD, at[0]);
    else mv.visitInsn(Opcodes.ACONST_NULL);
    if (coordinates > 1) word(args[1], at[1]);
    else mv.visitInsn(Opcodes.LCONST_0);
    mv.visitLdcInsn(op);
    mv.visitLdcInsn(site);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, unsafe ? "beforeUnsafe" : "before", "(" + (unsafe ? OBJECT : OBJECT + OBJECT) + "JII)V", false);
  }

  private void word(Type type, int at) {
    mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), at);
    if (type.getSort() != Type.LONG) mv.visitInsn(Opcodes.I2L);
  }

  private static boolean isObject(Type type) {
    return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
  }

  private void after(String name, int op, Type[] args, int[] at, int values, Type result) {
    int kept = -1;
    if (result.getSort() != Type.VOID) {
      kept = temp(result);
      mv.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      mv.visitVarInsn(result.getOpcode(Opcodes.ISTORE), kept);
    }
    boolean objects = values > 0 ? isObject(args[args.length - 1]) : isObject(result);
    int first = values == 2 ? args.length - 2 : -1;
    int last = values > 0 ? args.length - 1 : -1;
    boolean down = name.contains("ecrement");
    if (objects) {
      object(args, at, first);
      object(args, at, last);
      if (kept >= 0 && isObject(result)) mv.visitVarInsn(Opcodes.ALOAD, kept);
      else mv.visitInsn(Opcodes.ACONST_NULL);
      if (kept >= 0 && !isObject(result)) word(result, kept);
      else mv.visitInsn(Opcodes.LCONST_1);
      mv.visitLdcInsn(op);
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "afterA", "(" + OBJECT + OBJECT + OBJECT + "JI)V", false);
      return;
    }
    number(args, at, first, 0);
    number(args, at, last, down ? -1 : 1);
    if (kept < 0 || isObject(result)) mv.visitInsn(Opcodes.LCONST_1);
    else word(result, kept);
    mv.visitLdcInsn(op);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "afterJ", "(JJJI)V", false);
  }

  private void object(Type[] args, int[] at, int which) {
    if (which >= 0 && isObject(args[which])) mv.visitVarInsn(Opcodes.ALOAD, at[which]);
    else mv.visitInsn(Opcodes.ACONST_NULL);
  }

  private void number(Type[] args, int[] at, int which, long otherwise) {
    if (which >= 0 && !isObject(args[which])) word(args[which], at[which]);
    else mv.visitLdcInsn(otherwise);
  }
}
