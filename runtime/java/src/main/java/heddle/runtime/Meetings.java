package heddle.runtime;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.locks.StampedLock;

/** The rarer hooks of Calls.java: StampedLock, Phaser, Exchanger, composed futures, and what is not modelled. */
final class Meetings {
  private Meetings() {}

  static void before(Task t, Object o, Object first, long number, int code, int site) {
    switch (code) {
      case Calls.STAMPED_WRITE:
      case Calls.STAMPED_READ: {
        int kind = code == Calls.STAMPED_WRITE ? Kinds.LOCK : Kinds.LOCK_SHARED;
        Calls.step(t, kind, o, site);
        t.callKind = kind;
        break;
      }
      case Calls.STAMPED_UNLOCK: {
        int kind = o instanceof StampedLock && ((StampedLock) o).isWriteLocked() ? Kinds.UNLOCK : Kinds.UNLOCK_SHARED;
        Calls.step(t, kind, o, site);
        Hd.sync(t, kind, o, 0, site);
        if (kind == Kinds.UNLOCK) Owners.release(o, t);
        break;
      }
      case Calls.PHASER_ARRIVE:
      case Calls.PHASER_MEET:
        Calls.step(t, Kinds.LATCH_DOWN, o, site);
        // It does not advance without who has not arrived yet.
        t.before = ((Phaser) o).getPhase();
        phase(t, Kinds.LATCH_DOWN, o, t.before, site);
        if (code == Calls.PHASER_ARRIVE) break;
        t.callKind = Kinds.LATCH_AWAIT;
        t.steps++;
        break;
      case Calls.PHASER_AWAIT:
        Calls.step(t, Kinds.LATCH_AWAIT, o, site);
        t.callKind = Kinds.LATCH_AWAIT;
        break;
      case Calls.EXCHANGE:
        Calls.step(t, Kinds.GIVE, o, site);
        Calls.give(t, Kinds.GIVE, o, first, site);
        t.callKind = Kinds.GET;
        t.steps++;
        break;
      case Calls.CHAIN:
        // What is done with the result is done here and now.
        if (o instanceof CompletableFuture) HandOvers.asked(o);
        break;
      default:
        unmodelled(o, site);
    }
  }

  static void after(Task t, Object o, long number, long result, int code, int site) {
    switch (code) {
      case Calls.STAMPED_WRITE:
        Hd.sync(t, result != 0 ? Kinds.LOCK : Kinds.TRY_FAILED, o, 0, site);
        if (result != 0) Owners.take(o, t);
        break;
      case Calls.STAMPED_READ:
        Hd.sync(t, result != 0 ? Kinds.LOCK_SHARED : Kinds.TRY_FAILED, o, 0, site);
        break;
      case Calls.PHASER_MEET:
        Calls.again(t, Kinds.LATCH_AWAIT, o, site);
        phase(t, Kinds.LATCH_AWAIT, o, t.before, site);
        break;
      case Calls.PHASER_AWAIT:
        phase(t, Kinds.LATCH_AWAIT, o, number, site);
        break;
      default:
    }
  }

  static void exchanged(Task t, Object o, Object result, int site) {
    Calls.again(t, Kinds.GET, o, site);
    Calls.give(t, Kinds.GET, o, result, site);
  }

  /** A phase is a latch: whoever arrives counts it down. */
  private static void phase(Task t, int kind, Object o, long phase, int site) {
    if (t.out == null || phase < 0) return;
    int id = Ids.of(o, t);
    Hd.touch(t, id, o);
    t.record(kind, id, (int) phase + 1, 0, site, Stripes.moment(t, id));
  }

  private static final Set<Integer> told = new HashSet<>();

  private static void unmodelled(Object o, int site) {
    synchronized (told) {
      if (!told.add(site)) return;
    }
    Result.line("note " + o.getClass().getSimpleName() + " is not modelled: what is called at " + Tables.shown(site) + " gives no order, and is not controlled in replays.");
  }
}
