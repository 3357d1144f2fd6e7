package heddle.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** Accesses to the classes of java.util.concurrent.atomic, with what was there before and what is there after. */
final class Atomics {
  private Atomics() {}

  static void before(Task t, Object o, long index, int code, int site) {
    int kind = code == Calls.GET_ATOMIC ? Kinds.ATOMIC_READ : code == Calls.SET_ATOMIC ? Kinds.ATOMIC_WRITE : Kinds.ATOMIC_UPDATE;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, o, site);
    if (t.out == null) return;
    int id = Ids.of(o, t);
    if (Hd.isLeftOut(t, id) && (kind == Kinds.ATOMIC_READ || Hd.unrecorded(t, id, site) != null)) return;
    int field = isArray(o) ? (int) index : 0;
    if (kind != Kinds.ATOMIC_READ) Ids.write(id);
    Hd.touch(t, id, o);
    Hd.open(t, kind, id, field, site, Stripes.ofObject(id, field));
    if (code == Calls.UPDATE_ATOMIC) t.before = valueOf(o, field, t);
  }

  static void after(Task t, Object o, long index, int code, long result) {
    if (!t.open) {
      Alone.end(t);
      return;
    }
    long now = valueOf(o, t.field, t);
    long stamp = t.stripe >= 0 ? Stripes.tick(t, t.stripe, t.object, t.field, now) : ++t.clock;
    boolean updates = code == Calls.UPDATE_ATOMIC;
    // A compare and set in vain has only read.
    int kind = updates && result == 0 && now == t.before ? Kinds.ATOMIC_READ : t.kind;
    t.record(kind, t.object, t.field, updates ? t.before : now, t.site, stamp);
    if (kind == Kinds.ATOMIC_UPDATE) t.out.add(Kinds.UPDATED, t.object, t.field, now, t.site, t.steps, stamp);
    t.open = false;
    if (t.stripe >= 0) Stripes.release(t);
  }

  /** By a function of the program: what it saw is not known. */
  static void updated(Task t, Object o, int site) {
    if (t.out == null) return;
    Hd.sync(t, Kinds.CHANGE_ATOMIC, o, 0, site);
  }

  private static boolean isArray(Object o) {
    return o instanceof AtomicIntegerArray || o instanceof AtomicLongArray || o instanceof AtomicReferenceArray;
  }

  private static long valueOf(Object o, int index, Task t) {
    t.inside++;
    try {
      if (o instanceof AtomicInteger) return ((AtomicInteger) o).get();
      if (o instanceof AtomicLong) return ((AtomicLong) o).get();
      if (o instanceof AtomicBoolean) return ((AtomicBoolean) o).get() ? 1 : 0;
      if (o instanceof AtomicReference) return Words.of(((AtomicReference<?>) o).get(), t);
      if (o instanceof AtomicIntegerArray) return inside(((AtomicIntegerArray) o).length(), index) ? ((AtomicIntegerArray) o).get(index) : 0;
      if (o instanceof AtomicLongArray) return inside(((AtomicLongArray) o).length(), index) ? ((AtomicLongArray) o).get(index) : 0;
      if (o instanceof AtomicReferenceArray) return inside(((AtomicReferenceArray<?>) o).length(), index) ? Words.of(((AtomicReferenceArray<?>) o).get(index), t) : 0;
      if (o instanceof LongAdder) return ((LongAdder) o).sum();
      return 0;
    } finally {
      t.inside--;
    }
  }

  private static boolean inside(int length, int index) {
    return index >= 0 && index < length;
  }
}
