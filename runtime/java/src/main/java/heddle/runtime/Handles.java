package heddle.runtime;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import jdk.internal.vm.annotation.DontInline;

/**
 * Accesses to fields and arrays by VarHandle, by the updaters of java.util.concurrent.atomic, and by Unsafe: they are accesses to the field that the handle was made for. A handle that
 * nobody saw being made is left alone.
 */
public final class Handles {
  public static final int GET = 0;
  public static final int SET = 1;
  /** Compare and set: true if it did. */
  public static final int CAS = 2;
  /** Compare and exchange: what was there. */
  public static final int EXCHANGE = 3;
  public static final int GET_AND_SET = 4;
  public static final int GET_AND_ADD = 5;
  public static final int ADD_AND_GET = 6;
  public static final int OTHER = 7;

  private static final int ARRAY = 1;
  private static final int STATIC = 2;

  private static final class Made {
    final Object handle;
    final int field;
    final int what;

    Made(Object handle, int field, int what) {
      this.handle = handle;
      this.field = field;
      this.what = what;
    }
  }

  private static volatile Made[] table = new Made[1024];
  private static int size;
  /** Unsafe: `class offset` to the field. */
  private static final Map<String, Integer> offsets = new HashMap<>();

  private Handles() {}

  /** A VarHandle or an updater was made for a field. */
  public static void found(Object handle, Object owner, Object name) {
    if (handle == null || !(owner instanceof Class)) return;
    try {
      if (name == null) {
        add(new Made(handle, 0, ARRAY));
        return;
      }
      Field field = ((Class<?>) owner).getDeclaredField((String) name);
      add(new Made(handle, number(field), Modifier.isStatic(field.getModifiers()) ? STATIC : 0));
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      // it stays unknown
    }
  }

  /** Unsafe gave the offset of a field. */
  public static void offset(long offset, Object field) {
    if (!(field instanceof Field)) return;
    synchronized (offsets) {
      offsets.put(((Field) field).getDeclaringClass().getName() + " " + offset, number((Field) field));
    }
  }

  private static int number(Field field) {
    Class<?> owner = field.getDeclaringClass();
    int number = Tables.field(owner.getName(), field.getName(), descOf(field.getType()), field.getModifiers());
    Tables.flush();
    return number;
  }

  private static String descOf(Class<?> type) {
    if (type == int.class) return "I";
    if (type == long.class) return "J";
    if (type == boolean.class) return "Z";
    if (type == byte.class) return "B";
    if (type == char.class) return "C";
    if (type == short.class) return "S";
    if (type == float.class) return "F";
    if (type == double.class) return "D";
    return type.isArray() ? type.getName().replace('.', '/') : "L" + type.getName().replace('.', '/') + ";";
  }

  private static synchronized void add(Made made) {
    if (2 * ++size > table.length) {
      Made[] old = table;
      Made[] longer = new Made[old.length * 2];
      for (Made one : old) if (one != null) put(longer, one);
      put(longer, made);
      table = longer;
    } else put(table, made);
  }

  private static void put(Made[] into, Made made) {
    int at = System.identityHashCode(made.handle) & (into.length - 1);
    while (into[at] != null) at = at + 1 & (into.length - 1);
    into[at] = made;
  }

  private static Made find(Object handle) {
    Made[] all = table;
    for (int at = System.identityHashCode(handle) & (all.length - 1); all[at] != null; at = at + 1 & (all.length - 1)) {
      if (all[at].handle == handle) return all[at];
    }
    return null;
  }

  public static void before(Object handle, Object target, long index, int op, int site) {
    try {
      if (!Task.on || handle == null) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      Made made = find(handle);
      if (made == null || made.what != STATIC && target == null) return;
      open(t, made.what == STATIC ? null : target, made.what == ARRAY ? (int) index : made.field, op, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  public static void beforeUnsafe(Object target, long offset, int op, int site) {
    try {
      if (!Task.on || target == null) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      Integer field = null;
      synchronized (offsets) {
        for (Class<?> type = target.getClass(); type != null && field == null; type = type.getSuperclass()) field = offsets.get(type.getName() + " " + offset);
      }
      int number = field != null ? field : target.getClass().isArray() ? (int) (offset & 0x7fffffff) : -1;
      if (number >= 0) open(t, target, number, op, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  @DontInline
  private static void open(Task t, Object target, int field, int op, int site) {
    int kind = op == GET ? Kinds.ATOMIC_READ : op == SET ? Kinds.ATOMIC_WRITE : Kinds.ATOMIC_UPDATE;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, target, site);
    if (t.out == null) return;
    int id = target == null ? 0 : Ids.of(target, t);
    if (id != 0 && Hd.isLeftOut(t, id) && (kind == Kinds.ATOMIC_READ || Hd.unrecorded(t, id, site) != null)) return;
    if (kind != Kinds.ATOMIC_READ) Ids.write(id);
    if (id != 0) Hd.touch(t, id, target);
    Hd.open(t, kind, id, field, site, target != null && target.getClass().isArray() ? Stripes.ofObject(id, field >>> 3) : Stripes.ofObject(id, target == null ? field : 0));
  }

  private static Task opened() {
    if (!Task.on) return null;
    Task t = Task.current();
    if (t == null || t.inside != 0) return null;
    if (t.open) return t;
    Alone.end(t);
    return null;
  }

  /** Whole numbers: the operands (expected and new, or new alone in `b`), and the result. */
  public static void afterJ(long a, long b, long result, int op) {
    try {
      Task t = opened();
      if (t == null) return;
      switch (op) {
        case GET:
          close(t, Kinds.ATOMIC_READ, result, 0, false);
          break;
        case SET:
          close(t, Kinds.ATOMIC_WRITE, b, 0, false);
          break;
        case CAS:
          // In vain: what was there is not known.
          if (result != 0) close(t, Kinds.ATOMIC_UPDATE, a, b, true);
          else drop(t);
          break;
        case EXCHANGE:
          if (result == a) close(t, Kinds.ATOMIC_UPDATE, result, b, true);
          else close(t, Kinds.ATOMIC_READ, result, 0, false);
          break;
        case GET_AND_SET:
          close(t, Kinds.ATOMIC_UPDATE, result, b, true);
          break;
        case GET_AND_ADD:
          close(t, Kinds.ATOMIC_UPDATE, result, result + b, true);
          break;
        case ADD_AND_GET:
          close(t, Kinds.ATOMIC_UPDATE, result - b, result, true);
          break;
        default:
          close(t, Kinds.CHANGE_ATOMIC, 0, 0, false);
      }
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  public static void afterA(Object a, Object b, Object result, long did, int op) {
    try {
      Task t = opened();
      if (t == null) return;
      switch (op) {
        case GET:
          close(t, Kinds.ATOMIC_READ, Words.of(result, t), 0, false);
          break;
        case SET:
          close(t, Kinds.ATOMIC_WRITE, Words.of(b, t), 0, false);
          break;
        case CAS:
          if (did != 0) close(t, Kinds.ATOMIC_UPDATE, Words.of(a, t), Words.of(b, t), true);
          else drop(t);
          break;
        case EXCHANGE:
          if (result == a) close(t, Kinds.ATOMIC_UPDATE, Words.of(a, t), Words.of(b, t), true);
          else close(t, Kinds.ATOMIC_READ, Words.of(result, t), 0, false);
          break;
        case GET_AND_SET:
          close(t, Kinds.ATOMIC_UPDATE, Words.of(result, t), Words.of(b, t), true);
          break;
        default:
          close(t, Kinds.CHANGE_ATOMIC, 0, 0, false);
      }
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  private static void close(Task t, int kind, long value, long written, boolean updates) {
    long left = updates ? written : value;
    boolean known = kind != Kinds.CHANGE_ATOMIC;
    long stamp = t.stripe < 0 ? ++t.clock : known ? Stripes.tick(t, t.stripe, t.object, t.field, left) : Stripes.tick(t, t.stripe);
    t.record(kind, t.object, t.field, value, t.site, stamp);
    if (updates) t.out.add(Kinds.UPDATED, t.object, t.field, written, t.site, t.steps, stamp);
    drop(t);
  }

  /** A step that has no record: a compare and set in vain. */
  private static void drop(Task t) {
    t.open = false;
    if (t.stripe >= 0) Stripes.release(t);
  }
}
