package heddle.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.vm.annotation.DontInline;

/**
 * Hooks before and after calls of the JDK that synchronise threads. The codes say what the call does; rewrite/Sites.java has which call has which code.
 * Where the call throws, its second half does not come.
 */
public final class Calls {
  public static final int MARK = 0;
  public static final int LOCK = 1;
  public static final int TRY_LOCK = 2;
  public static final int UNLOCK = 3;
  public static final int AWAIT = 4;
  public static final int SIGNAL = 5;
  public static final int SIGNAL_ALL = 6;
  public static final int ACQUIRE = 7;
  public static final int TRY_ACQUIRE = 8;
  public static final int RELEASE = 9;
  public static final int COUNT_DOWN = 10;
  public static final int AWAIT_LATCH = 11;
  public static final int AWAIT_BARRIER = 12;
  public static final int PUT = 13;
  public static final int TAKE = 14;
  public static final int GET_ATOMIC = 15;
  public static final int SET_ATOMIC = 16;
  public static final int UPDATE_ATOMIC = 17;
  public static final int LOOK = 18;
  public static final int CHANGE = 19;
  /** A look that gives a part of the collection, or a way through it. */
  public static final int VIEW = 20;
  public static final int PART_OF_LOCK = 21;
  public static final int NEW_CONDITION = 22;
  public static final int PARK = 23;
  public static final int UNPARK = 24;
  /** An update by a function of the program. */
  public static final int UPDATE_BY = 26;
  public static final int INTERRUPTED = 27;
  /** From here on: Meetings.java. */
  public static final int STAMPED_WRITE = 28;
  public static final int STAMPED_READ = 29;
  public static final int STAMPED_UNLOCK = 30;
  public static final int PHASER_ARRIVE = 31;
  public static final int PHASER_MEET = 32;
  public static final int PHASER_AWAIT = 33;
  public static final int EXCHANGE = 34;
  /** More is to be done when a future is complete. */
  public static final int CHAIN = 35;
  public static final int UNMODELLED = 36;
  /** A change by all that is in another collection, and a look at all. */
  public static final int CHANGE_BY = 37;
  public static final int LOOK_BY = 38;
  public static final int LOOK_ALL = 39;

  private Calls() {}

  public static void before(Object o, Object first, long number, int code, int site) {
    if (code == LOCK || code == TRY_LOCK) Room.forHook();
    try {
      begins(o, first, number, code, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  @DontInline
  private static void begins(Object o, Object first, long number, int code, int site) {
    if (!Task.on) {
      if (code == MARK) mark(site);
      return;
    }
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    t.callSite = site;
    t.callKind = 0; // one before may have thrown
    t.bulkSite = 0;
    if (code == MARK || o == null && code != PARK && code != UNPARK && code != INTERRUPTED) return;
    switch (code) {
      case LOCK:
      case TRY_LOCK:
        if (isLock(o)) step(t, isShared(o) ? Kinds.LOCK_SHARED : Kinds.LOCK, o, site);
        break;
      case UNLOCK:
        if (!isLock(o)) break;
        step(t, isShared(o) ? Kinds.UNLOCK_SHARED : Kinds.UNLOCK, o, site);
        Hd.sync(t, isShared(o) ? Kinds.UNLOCK_SHARED : Kinds.UNLOCK, o, 0, site);
        Owners.release(o, t);
        break;
      case AWAIT:
        if (!Types.isUtil(o)) break;
        step(t, Kinds.WAIT, o, site);
        ofLock(o, t);
        Hd.sync(t, Kinds.WAIT, o, 0, site);
        lockMoment(o, t);
        Owners.waits(o, t);
        t.callKind = Kinds.WOKEN;
        t.steps++; // it stands before the step in which it goes on
        break;
      case SIGNAL:
      case SIGNAL_ALL: {
        if (!Types.isUtil(o)) break;
        int kind = code == SIGNAL ? Kinds.SIGNAL : Kinds.BROADCAST;
        step(t, kind, o, site);
        Hd.sync(t, kind, o, 0, site);
        break;
      }
      case ACQUIRE:
      case TRY_ACQUIRE:
        step(t, Kinds.SEM_WAIT, o, site);
        permits(o, t);
        break;
      case RELEASE:
        step(t, Kinds.SEM_POST, o, site);
        permits(o, t);
        Hd.sync(t, Kinds.SEM_POST, o, number, site);
        break;
      case COUNT_DOWN:
        step(t, Kinds.LATCH_DOWN, o, site);
        permits(o, t);
        Hd.sync(t, Kinds.LATCH_DOWN, o, 0, site);
        break;
      case AWAIT_LATCH:
        step(t, Kinds.LATCH_AWAIT, o, site);
        break;
      case AWAIT_BARRIER:
        step(t, Kinds.BARRIER_ARRIVE, o, site);
        Hd.sync(t, Kinds.BARRIER_ARRIVE, o, o instanceof CyclicBarrier ? ((CyclicBarrier) o).getParties() : 2, site);
        t.callKind = Kinds.BARRIER_LEAVE;
        t.steps++;
        break;
      case PUT:
        if (!Types.isQueue(o)) {
          collection(t, o, true, site);
          break;
        }
        step(t, Kinds.GIVE, o, site);
        give(t, Kinds.GIVE, o, first, site);
        break;
      case TAKE:
        if (Types.isQueue(o)) {
          step(t, Kinds.GET, o, site);
          if (o instanceof java.util.concurrent.BlockingQueue) looksForInterrupt(t, t, site);
        } else collection(t, o, true, site);
        break;
      case GET_ATOMIC:
      case SET_ATOMIC:
      case UPDATE_ATOMIC:
        Atomics.before(t, o, number, code, site);
        break;
      case UPDATE_BY:
        step(t, Kinds.ATOMIC_UPDATE, o, site);
        break;
      case LOOK:
      case VIEW:
        collection(t, o, false, site);
        break;
      case CHANGE:
        collection(t, o, true, site);
        break;
      case CHANGE_BY:
      case LOOK_BY:
        Bulk.operand(t, first, code == LOOK_BY || o instanceof java.util.Set || o instanceof java.util.Map, site);
        collection(t, o, code == CHANGE_BY, site);
        if (Types.isSynchronized(o)) t.bulkSite = 0;
        break;
      case LOOK_ALL:
        Bulk.operand(t, o, true, site);
        break;
      case PARK:
        step(t, Kinds.PARK, null, site);
        break;
      case INTERRUPTED: {
        Task of = o instanceof Thread ? Task.of((Thread) o) : t;
        step(t, Kinds.INTERRUPTED, null, site);
        looksForInterrupt(t, of, site);
        break;
      }
      case UNPARK: {
        Task other = first instanceof Thread ? Task.of((Thread) first) : null;
        if (other == null) break;
        step(t, Kinds.UNPARK, first, site);
        t.record(Kinds.UNPARK, other.id, 0, 0, site, Stripes.moment(t, -other.id));
        break;
      }
      default:
        if (code >= STAMPED_WRITE) Meetings.before(t, o, first, number, code, site);
    }
    if (Config.mode == Config.REPLAY) t.callObject = o;
    t.callSite = site;
    if (code == LOCK || code == TRY_LOCK) t.callKind = isShared(o) ? Kinds.LOCK_SHARED : Kinds.LOCK;
    else if (code == ACQUIRE || code == TRY_ACQUIRE) t.callKind = Kinds.SEM_WAIT;
    else if (code == AWAIT_LATCH) t.callKind = Kinds.LATCH_AWAIT;
    else if (code == TAKE || code == PUT) t.callKind = Kinds.GET;
    else if (code == PARK) t.callKind = Kinds.PARK;
  }

  /** `result`: of a boolean or a whole number; 1 where there is none. */
  public static void afterN(Object o, Object first, long number, long result, int code, int site) {
    try {
      ended(o, number, result, code, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  @DontInline
  private static void ended(Object o, long number, long result, int code, int site) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0 || o == null && code != PARK) return;
    switch (code) {
      case LOCK:
      case TRY_LOCK: {
        if (!isLock(o)) break;
        int kind = isShared(o) ? Kinds.LOCK_SHARED : Kinds.LOCK;
        Hd.sync(t, result != 0 ? kind : Kinds.TRY_FAILED, o, 0, site);
        if (result != 0) Owners.take(o, t);
        break;
      }
      case AWAIT:
        if (!Types.isUtil(o)) break;
        again(t, Kinds.WOKEN, o, site);
        lockMoment(o, t);
        Hd.sync(t, result > 0 ? Kinds.WOKEN : Kinds.TIMED_OUT, o, 0, site);
        Owners.woken(o, t);
        break;
      case ACQUIRE:
      case TRY_ACQUIRE:
        Hd.sync(t, result != 0 ? Kinds.SEM_WAIT : Kinds.SEM_FAILED, o, number, site);
        break;
      case AWAIT_LATCH:
        Hd.sync(t, result != 0 ? Kinds.LATCH_AWAIT : Kinds.TRY_FAILED, o, 0, site);
        break;
      case AWAIT_BARRIER:
        again(t, Kinds.BARRIER_LEAVE, o, site);
        Hd.sync(t, Kinds.BARRIER_LEAVE, o, 0, site);
        break;
      case GET_ATOMIC:
      case SET_ATOMIC:
      case UPDATE_ATOMIC:
        Atomics.after(t, o, number, code, result);
        break;
      case UPDATE_BY:
        Atomics.updated(t, o, site);
        break;
      case CHANGE_BY:
      case LOOK_BY:
      case LOOK_ALL:
        Bulk.done();
        break;
      case PARK:
        if (t.out != null) t.record(Kinds.PARK, t.id, 0, 0, site, Stripes.moment(t, -t.id));
        break;
      default:
        if (code >= STAMPED_WRITE) Meetings.after(t, o, number, result, code, site);
    }
    t.callKind = 0;
    if (Config.mode == Config.REPLAY) t.callObject = null;
  }

  public static void afterA(Object o, Object first, long number, Object result, int code, int site) {
    try {
      gave(o, number, result, code, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  @DontInline
  private static void gave(Object o, long number, Object result, int code, int site) {
    if (!Task.on) {
      if (result != null && o != null && (code == PART_OF_LOCK || code == NEW_CONDITION)) alias(Task.current(), o, result, code);
      return;
    }
    Task t = Task.current();
    if (t == null || t.inside != 0 || o == null) return;
    switch (code) {
      case TAKE:
        if (!Types.isQueue(o)) break;
        if (result != null) give(t, Kinds.GET, o, result, site);
        else Hd.sync(t, Kinds.TRY_FAILED, o, 0, site);
        break;
      case VIEW:
        if (result != null && Types.isUtil(result)) alias(t, o, result, code);
        break;
      case PART_OF_LOCK:
      case NEW_CONDITION:
        if (result != null) alias(t, o, result, code);
        break;
      case GET_ATOMIC:
      case SET_ATOMIC:
      case UPDATE_ATOMIC:
        Atomics.after(t, o, number, code, 1);
        break;
      case UPDATE_BY:
        Atomics.updated(t, o, site);
        break;
      case EXCHANGE:
        Meetings.exchanged(t, o, result, site);
        break;
      case LOOK_ALL:
        Bulk.done();
        break;
      default:
    }
    t.callKind = 0;
    if (Config.mode == Config.REPLAY) t.callObject = null;
  }

  private static void alias(Task t, Object o, Object part, int code) {
    if (t == null || t.inside != 0) return;
    t.inside++;
    try {
      if (code == NEW_CONDITION) Owners.condition(part, o);
      else Ids.partOf(part, Ids.met(o, t), t);
    } finally {
      t.inside--;
    }
  }

  private static void ofLock(Object condition, Task t) {
    if (t.out == null) return;
    t.inside++;
    try {
      Object lock = Owners.untold(condition);
      if (lock != null) t.info(Kinds.ALIAS, Ids.of(condition, t), Ids.of(lock, t), 0);
    } finally {
      t.inside--;
    }
  }

  /** Who waits gives the lock of the condition back, and who goes on has taken it again: both have their moment among those of the lock. */
  private static void lockMoment(Object condition, Task t) {
    Object lock = t.out == null ? null : Owners.lockOf(condition);
    if (lock == null) return;
    t.inside++;
    try {
      Stripes.moment(t, Ids.met(lock, t));
    } finally {
      t.inside--;
    }
  }

  static void looksForInterrupt(Task t, Task of, int site) {
    if (of != null && t.out != null) t.record(Kinds.INTERRUPTED, of.id, 0, 0, site, Stripes.moment(t, -of.id));
  }

  private static void mark(int site) {
    Task t = Task.current();
    if (t != null && t.inside == 0) t.callSite = site;
  }

  static void step(Task t, int kind, Object o, int site) {
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, o, site);
  }

  /** The second step of a call: it was counted before. */
  static void again(Task t, int kind, Object o, int site) {
    if (t.steps > t.until) Gate.gate(t, kind, o, site);
  }

  private static boolean isLock(Object o) {
    return o instanceof java.util.concurrent.locks.ReentrantLock || o instanceof ReentrantReadWriteLock.ReadLock || o instanceof ReentrantReadWriteLock.WriteLock;
  }

  private static boolean isShared(Object o) {
    return o instanceof ReentrantReadWriteLock.ReadLock;
  }

  private static void permits(Object o, Task t) {
    boolean latch = o instanceof CountDownLatch;
    if (!latch && !(o instanceof Semaphore) || t.out == null) return;
    t.inside++;
    try {
      int id = Ids.of(o, t);
      synchronized (known) {
        if (known.put(id, true) == null) t.info(Kinds.PERMITS, id, latch ? 1 : 0, latch ? ((CountDownLatch) o).getCount() : Math.max(0, ((Semaphore) o).availablePermits()));
      }
    } finally {
      t.inside--;
    }
  }

  private static final Map<Integer, Boolean> known = new HashMap<>();

  static void give(Task t, int kind, Object queue, Object item, int site) {
    if (item == null || t.out == null) return;
    t.inside++;
    try {
      int id = Ids.of(queue, t);
      Hd.touch(t, id, queue);
      t.record(kind, id, 0, Words.of(item, t), site, Stripes.moment(t, id));
    } finally {
      t.inside--;
    }
  }

  static void collection(Task t, Object o, boolean changes, int site) {
    if (!Types.isUtil(o)) return;
    boolean atomic = Types.isAtomic(o);
    int kind = atomic ? changes ? Kinds.CHANGE_ATOMIC : Kinds.LOOK_ATOMIC : changes ? Kinds.CHANGE : Kinds.LOOK;
    step(t, kind, o, site);
    if (Config.mode == Config.REPLAY && Types.isSynchronized(o)) Monitors.pass(t, o, site);
    Hd.sync(t, kind, o, 0, site);
  }

}
