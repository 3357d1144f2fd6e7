package heddle.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Locks around an access and its record, with a clock each: the records of one place have the order of the accesses (Lamport's clocks). Held for a few instructions of
 * the program, and never while it calls anything.
 */
final class Stripes {
  private static final int BITS = 12;
  private static final int MASK = (1 << BITS) - 1;
  /** A stripe is on a line of the cache of its own. */
  private static final int APART = 16;
  private static final AtomicIntegerArray locks = new AtomicIntegerArray((MASK + 1) * APART);
  /** Of each stripe: the moment of the last write, that of the last read, and what the last write has left where; the place is -1 where that is not known. */
  private static final long[] clocks = new long[(MASK + 1) * 8];

  private Stripes() {}

  static int ofObject(int id, int index) {
    return (id * 0x9E3779B1 + index * 0x85EBCA6B) >>> (32 - BITS);
  }

  /**
   * A task holds one at a time, and its number is in it. Nothing is called between taking it and the note of that, nor between giving it back and that: a StackOverflowError, which
   * comes where something is called, never leaves one held that its task does not know of.
   */
  static void hold(Task t, int stripe, int object) {
    if (t.stripe >= 0) giveUp(t);
    int at = stripe * APART;
    for (int spins = 0; !locks.compareAndSet(at, 0, t.id + 1); spins++) if (spins > 64) stand(at, spins);
    t.stripe = stripe;
    if (object > 1) after(t, object);
  }

  /** What one thread did with the object while it had it alone has no stripe: it was before. */
  private static void after(Task t, int object) {
    long moment = Block.of(object).clock();
    if (moment > t.clock) t.clock = moment;
  }

  static void release(Task t) {
    locks.lazySet(t.stripe * APART, 0);
    t.stripe = -1;
  }

  /** The second half of the access never came. Somebody who stood there may have seen that, and have it now. */
  static void giveUp(Task t) {
    locks.compareAndSet(t.stripe * APART, t.id + 1, 0);
    t.stripe = -1;
  }

  private static final int LONG = 1 << 14;

  private static void stand(int at, int spins) {
    if (spins % LONG == 0) takeFromWhoLeft(at);
    Thread.yield();
  }

  /** An error between the two halves of an access leaves its stripe held, until its thread comes to the next hook: it may first wait for the one that stands here. */
  private static void takeFromWhoLeft(int at) {
    int holder = locks.get(at);
    Task[] all = Task.all;
    if (holder <= 0 || holder > Task.count) return;
    if (hasLeft(all[holder - 1])) locks.compareAndSet(at, holder, 0);
  }

  /** It is neither in a hook nor at the place of its access. */
  static boolean hasLeft(Task holder) {
    StackTraceElement[] stack = AccessController.doPrivileged((PrivilegedAction<StackTraceElement[]>) () -> holder.thread.getStackTrace());
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (name.startsWith("heddle.")) return false;
      if (name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")) continue;
      return !Tables.place(holder.site).equals(name.replace('.', '/') + "." + frame.getMethodName() + ":" + frame.getLineNumber());
    }
    return true;
  }

  /** With the stripe held: the moment of a write, after everything that was done here, and what it has left. */
  static long tick(Task t, int stripe, int object, int field, long value) {
    int at = stripe * 8;
    clocks[at + 2] = place(object, field);
    clocks[at + 3] = value;
    return tickAt(t, at);
  }

  /** The same where what it has left is not known. */
  static long tick(Task t, int stripe) {
    int at = stripe * 8;
    clocks[at + 2] = -1;
    return tickAt(t, at);
  }

  private static long place(int object, int field) {
    return (long) object << 32 | field & 0xffffffffL;
  }

  private static long tickAt(Task t, int at) {
    long now = Math.max(t.clock, Math.max(clocks[at], clocks[at + 1])) + 1;
    clocks[at] = now;
    t.clock = now;
    return now;
  }

  /** The moment of a read: after all writes. */
  static long tickRead(Task t, int stripe) {
    int at = stripe * 8;
    long now = Math.max(t.clock, clocks[at]) + 1;
    if (clocks[at + 1] < now) clocks[at + 1] = now;
    t.clock = now;
    return now;
  }

  /** With the stripe held: is this value what the last write has left there? */
  static boolean isLeft(int stripe, int object, int field, long value) {
    int at = stripe * 8;
    return clocks[at + 2] == place(object, field) && clocks[at + 3] == value;
  }

  /** Without the stripe: has anybody written here since? */
  static long lastWrite(int stripe) {
    return clocks[stripe * 8];
  }

  /** A moment for something that has no access of its own. */
  static long moment(Task t, int id) {
    if (Hd.LOCAL_ORDER) return ++t.clock;
    int stripe = ofObject(id, 0);
    hold(t, stripe, id);
    long now = tick(t, stripe);
    release(t);
    return now;
  }
}
