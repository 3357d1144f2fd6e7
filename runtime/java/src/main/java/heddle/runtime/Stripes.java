package heddle.runtime;

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
  /** Of each stripe: the moment of the last write, and that of the last read. */
  private static final long[] clocks = new long[(MASK + 1) * 8];

  private Stripes() {}

  static int ofObject(int id, int index) {
    return (id * 0x9E3779B1 + index * 0x85EBCA6B) >>> (32 - BITS);
  }

  static void lock(int stripe) {
    int at = stripe * APART;
    for (int spins = 0; !locks.compareAndSet(at, 0, 1); spins++) if (spins > 64) Thread.yield();
  }

  static void unlock(int stripe) {
    locks.set(stripe * APART, 0);
  }

  /** With the stripe held: the moment of a write, after everything that was done here. */
  static long tick(Task t, int stripe) {
    int at = stripe * 8;
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

  /** Without the stripe: has anybody written here since? */
  static long lastWrite(int stripe) {
    return clocks[stripe * 8];
  }

  /** A moment for something that has no access of its own. */
  static long moment(Task t, int id) {
    if (Config.localOrder) return ++t.clock;
    int stripe = ofObject(id, 0);
    lock(stripe);
    try {
      return tick(t, stripe);
    } finally {
      unlock(stripe);
    }
  }
}
