package heddle.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What observed code calls around calls of the JDK that let threads meet: before and after. The codes say what the call does; rewrite/Sites.java has which call has which code.
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

  private Calls() {}

  public static void before(Object o, Object first, long number, int code, int site) {
    if (!Task.on) {
      if (code == MARK) mark(site);
      return;
    }
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    t.callSite = site;
    t.callKind = 0; // one before may have thrown
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
        if (!isJdk(o)) break;
        step(t, Kinds.WAIT, o, site);
        ofLock(o, t);
        Hd.sync(t, Kinds.WAIT, o, 0, site);
        Owners.waits(o, t);
        t.callKind = Kinds.WOKEN;
        t.steps++; // it stands before the step in which it goes on
        break;
      case SIGNAL:
      case SIGNAL_ALL: {
        if (!isJdk(o)) break;
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
        if (!isQueue(o)) {
          collection(t, o, true, site);
          break;
        }
        step(t, Kinds.GIVE, o, site);
        give(t, Kinds.GIVE, o, first, site);
        break;
      case TAKE:
        if (isQueue(o)) {
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
    }
    t.callObject = o;
    t.callSite = site;
    if (code == LOCK || code == TRY_LOCK) t.callKind = isShared(o) ? Kinds.LOCK_SHARED : Kinds.LOCK;
    else if (code == ACQUIRE || code == TRY_ACQUIRE) t.callKind = Kinds.SEM_WAIT;
    else if (code == AWAIT_LATCH) t.callKind = Kinds.LATCH_AWAIT;
    else if (code == TAKE || code == PUT) t.callKind = Kinds.GET;
    else if (code == PARK) t.callKind = Kinds.PARK;
  }

  /** `result`: of a boolean or a whole number; 1 where there is none. */
  public static void afterN(Object o, Object first, long number, long result, int code, int site) {
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
        if (!isJdk(o)) break;
        again(t, Kinds.WOKEN, o, site);
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
      case PARK:
        if (t.out != null) t.record(Kinds.PARK, t.id, 0, 0, site, Stripes.moment(t, -t.id));
        break;
      default:
    }
    t.callKind = 0;
    t.callObject = null;
  }

  public static void afterA(Object o, Object first, long number, Object result, int code, int site) {
    if (!Task.on) {
      if (result != null && o != null && (code == PART_OF_LOCK || code == NEW_CONDITION)) alias(Task.current(), o, result, code);
      return;
    }
    Task t = Task.current();
    if (t == null || t.inside != 0 || o == null) return;
    switch (code) {
      case TAKE:
        if (!isQueue(o)) break;
        if (result != null) give(t, Kinds.GET, o, result, site);
        else Hd.sync(t, Kinds.TRY_FAILED, o, 0, site);
        break;
      case VIEW:
        if (result != null && isJdk(result)) alias(t, o, result, code);
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
      default:
    }
    t.callKind = 0;
    t.callObject = null;
  }

  private static void alias(Task t, Object o, Object part, int code) {
    if (t == null || t.inside != 0) return;
    t.inside++;
    if (code == NEW_CONDITION) Owners.condition(part, o);
    if (code != NEW_CONDITION) Ids.partOf(part, Ids.met(o, t), t);
    t.inside--;
  }

  private static void ofLock(Object condition, Task t) {
    if (t.out == null) return;
    t.inside++;
    Object lock = Owners.untold(condition);
    if (lock != null) t.info(Kinds.ALIAS, Ids.of(condition, t), Ids.of(lock, t), 0);
    t.inside--;
  }

  private static void looksForInterrupt(Task t, Task of, int site) {
    if (of != null && t.out != null) t.record(Kinds.INTERRUPTED, of.id, 0, 0, site, Stripes.moment(t, -of.id));
  }

  private static void mark(int site) {
    Task t = Task.current();
    if (t != null && t.inside == 0) t.callSite = site;
  }

  private static void step(Task t, int kind, Object o, int site) {
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, o, site);
  }

  /** The second step of a call: it was counted before. */
  private static void again(Task t, int kind, Object o, int site) {
    if (t.steps > t.until) Gate.gate(t, kind, o, site);
  }

  private static boolean isJdk(Object o) {
    return o.getClass().getName().startsWith("java.util.");
  }

  private static boolean isLock(Object o) {
    return o instanceof java.util.concurrent.locks.ReentrantLock || o instanceof ReentrantReadWriteLock.ReadLock || o instanceof ReentrantReadWriteLock.WriteLock;
  }

  private static boolean isShared(Object o) {
    return o instanceof ReentrantReadWriteLock.ReadLock;
  }

  private static boolean isQueue(Object o) {
    return o instanceof java.util.concurrent.BlockingQueue && isJdk(o) || o instanceof java.util.concurrent.ConcurrentLinkedQueue || o instanceof java.util.concurrent.ConcurrentLinkedDeque;
  }

  private static void permits(Object o, Task t) {
    boolean latch = o instanceof CountDownLatch;
    if (!latch && !(o instanceof Semaphore) || t.out == null) return;
    t.inside++;
    int id = Ids.of(o, t);
    synchronized (known) {
      if (known.put(id, true) == null) t.info(Kinds.PERMITS, id, latch ? 1 : 0, latch ? ((CountDownLatch) o).getCount() : Math.max(0, ((Semaphore) o).availablePermits()));
    }
    t.inside--;
  }

  private static final Map<Integer, Boolean> known = new HashMap<>();

  private static void give(Task t, int kind, Object queue, Object item, int site) {
    if (item == null || t.out == null) return;
    t.inside++;
    int id = Ids.of(queue, t);
    Hd.touch(t, id);
    t.record(kind, id, 0, Words.of(item, t), site, Stripes.moment(t, id));
    t.inside--;
  }

  private static void collection(Task t, Object o, boolean changes, int site) {
    String name = o.getClass().getName();
    if (!name.startsWith("java.util.")) return;
    boolean atomic = name.startsWith("java.util.concurrent.") || name.startsWith("java.util.Collections$Sync") || name.equals("java.util.Vector") || name.equals("java.util.Hashtable");
    int kind = atomic ? changes ? Kinds.CHANGE_ATOMIC : Kinds.LOOK_ATOMIC : changes ? Kinds.CHANGE : Kinds.LOOK;
    step(t, kind, o, site);
    if (Config.mode == Config.REPLAY && atomic && !name.startsWith("java.util.concurrent.")) Monitors.pass(t, o, site);
    Hd.sync(t, kind, o, 0, site);
  }

  static Task ownerOf(Object o, Task t) {
    return Owners.of(o);
  }

  // Calls that are replaced: what observed code calls instead.

  public static void sleep(long ms, int site) throws InterruptedException {
    Task t = Hd.taskFor(Kinds.YIELD, null, site);
    if (t != null) looksForInterrupt(t, t, site);
    if (t != null && Config.mode == Config.REPLAY && !Gate.isOpen() && ms >= 0) {
      if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
      if (ms < FOR_EVER) Gate.rest(t, nanos(ms), site);
      else if (!Gate.block(t, Kinds.YIELD, new Object(), null, site, 0)) Thread.sleep(ms);
      if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
      return;
    }
    Thread.sleep(ms);
  }

  /** In milliseconds: who sleeps so long waits to be interrupted. Shorter sleeps take no time in replays. */
  private static final long FOR_EVER = 30_000;

  private static long nanos(long ms) {
    return java.util.concurrent.TimeUnit.MILLISECONDS.toNanos(ms);
  }

  public static void sleep(long ms, int nanos, int site) throws InterruptedException {
    sleep(nanos > 0 && ms < Long.MAX_VALUE ? ms + 1 : ms, site);
  }

  public static void sleep(java.util.concurrent.TimeUnit unit, long time, int site) throws InterruptedException {
    if (time > 0) sleep(Math.max(1, unit.toMillis(time)), site);
  }

  public static void yield(int site) {
    Task t = Hd.taskFor(Kinds.YIELD, null, site);
    if (t != null && Config.mode == Config.REPLAY && !Gate.isOpen()) Gate.rest(t, 0, site);
    else Thread.yield();
  }

  public static void join(Thread other, int site) throws InterruptedException {
    join(other, 0, site);
  }

  public static void join(Thread other, long ms, int site) throws InterruptedException {
    if (other == null) throw new NullPointerException();
    Task made = Task.of(other);
    Task t = Task.on ? Hd.taskFor(Kinds.JOIN, other, site) : null;
    if (t == null || made == null && !Joined.isKnown(other)) {
      other.join(ms);
      return;
    }
    if (made == null) made = Joined.of(other);
    if (Config.mode == Config.REPLAY && !Gate.isOpen() && ms >= 0) {
      long deadline = ms == 0 ? 0 : Gate.after(nanos(ms));
      while (made.state != Task.GONE && !Gate.isOpen()) {
        if (Thread.interrupted()) throw new InterruptedException();
        Gate.block(t, Kinds.JOIN, made, other, site, deadline);
        if (t.woken == 2) return;
        if (t.woken == 3) {
          Thread.interrupted();
          throw new InterruptedException();
        }
      }
      other.join();
    } else other.join(ms);
    if (!other.isAlive()) t.record(Kinds.JOIN, made.id, 0, 0, site, t.clock = Math.max(t.clock, made.clock) + 1);
  }

  public static void join(Thread other, long ms, int nanos, int site) throws InterruptedException {
    join(other, nanos > 0 ? ms + 1 : ms, site);
  }

  public static boolean isAlive(Thread other, int site) {
    boolean alive = other.isAlive();
    Task t = Task.on ? Task.current() : null;
    if (t == null || t.inside != 0) return alive;
    Task made = Joined.of(other);
    t = Hd.taskFor(Kinds.JOIN, other, site);
    if (t == null || made == null) return other.isAlive();
    if (Config.mode == Config.REPLAY && !Gate.isOpen()) alive = other.isAlive() && made.state != Task.GONE;
    else alive = other.isAlive();
    if (!alive && other.getState() == Thread.State.TERMINATED || made.state == Task.GONE) {
      t.record(Kinds.JOIN, made.id, 0, 0, site, t.clock = Math.max(t.clock, made.clock) + 1);
    }
    return alive;
  }

  public static void await(Object o, int site) throws InterruptedException {
    await(o, 0, site);
  }

  public static void await(Object o, long ms, int nanos, int site) throws InterruptedException {
    await(o, nanos > 0 && ms < Long.MAX_VALUE ? ms + 1 : ms, site);
  }

  /** `Object.wait`. */
  public static void await(Object o, long ms, int site) throws InterruptedException {
    Task t = Task.on && o != null && ms >= 0 && Thread.holdsLock(o) ? Hd.taskFor(Kinds.WAIT, o, site) : null;
    if (t == null) {
      o.wait(ms);
      return;
    }
    Hd.sync(t, Kinds.WAIT, o, 1, site);
    t.steps++; // it stands before the step in which it goes on
    boolean timedOut = false;
    boolean modelled = false;
    if (Config.mode == Config.REPLAY && !Gate.isOpen()) {
      if (Thread.interrupted()) throw new InterruptedException();
      t.inside++;
      try {
        modelled = Gate.blockInWait(t, o, Monitors.of(o, t), site, ms == 0 ? 0 : Gate.after(nanos(ms)));
      } finally {
        t.inside--;
      }
      timedOut = t.woken == 2;
    }
    if (!modelled) {
      long from = System.nanoTime();
      o.wait(ms);
      timedOut = ms > 0 && System.nanoTime() - from >= ms * 1_000_000;
      if (t.steps > t.until) Gate.gate(t, Kinds.WOKEN, o, site);
    }
    Hd.sync(t, timedOut ? Kinds.TIMED_OUT : Kinds.WOKEN, o, 1, site);
  }

  public static void notifyOne(Object o, int site) {
    tell(o, site, false);
  }

  public static void notifyAll(Object o, int site) {
    tell(o, site, true);
  }

  private static void tell(Object o, int site, boolean all) {
    Task t = Task.on && o != null && Thread.holdsLock(o) ? Hd.taskFor(all ? Kinds.BROADCAST : Kinds.SIGNAL, o, site) : null;
    if (t != null) {
      Hd.sync(t, all ? Kinds.BROADCAST : Kinds.SIGNAL, o, 1, site);
      if (Config.mode == Config.REPLAY) {
        if (all) Gate.wakeAll(o);
        else Gate.wakeOne(o);
        all = true; // whom the real one would choose may be one of ours, who waits for the turn
      }
    }
    if (all) o.notifyAll();
    else o.notify();
  }

  public static void interrupt(Thread other, int site) {
    Task of = Task.on && other != null ? Task.of(other) : null;
    Task t = of == null ? null : Hd.taskFor(Kinds.INTERRUPT, other, site);
    if (t != null) t.record(Kinds.INTERRUPT, of.id, 0, 0, site, Stripes.moment(t, -of.id));
    other.interrupt();
  }

  /** In java.lang.Thread: who waits at the gate goes on. */
  public static void interrupting(Thread other) {
    if (Config.mode != Config.REPLAY || !Task.on || Gate.isOpen()) return;
    Task made = Task.of(other);
    if (made != null) Gate.interrupted(made);
  }

  // In java.util.concurrent.locks.LockSupport: true where it was carried out here.

  /** `nanos`: negative where there is no end. */
  public static boolean parking(long nanos) {
    if (Config.mode != Config.REPLAY || !Task.on) return false;
    Task t = Task.current();
    if (t == null || t.inside != 0 || Gate.isOpen()) return false;
    if (!t.begun) Threads.begin(t);
    if (t.permit) {
      t.permit = false;
      return true;
    }
    if (Thread.currentThread().isInterrupted()) return true;
    if (nanos == 0) return true;
    long begin = System.nanoTime();
    long deadline = nanos < 0 ? 0 : Gate.after(nanos);
    if (!Gate.block(t, t.callKind == 0 ? Kinds.PARK : t.callKind, t, t.callObject, t.callSite, deadline)) return false;
    t.permit = false;
    if (t.woken == 2) {
      // Who asked for it will look at the clock.
      long left = Math.min(nanos - (System.nanoTime() - begin), 200_000_000L);
      if (left > 0) {
        t.inside++;
        try {
          Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        t.inside--;
      }
    }
    return true;
  }

  public static boolean parkingUntil(long millis) {
    return parking(Math.max(1, (millis - System.currentTimeMillis()) * 1_000_000));
  }

  public static boolean unparking(Thread other) {
    if (Config.mode != Config.REPLAY || !Task.on || other == null) return false;
    Task made = Task.of(other);
    if (made == null || Gate.isOpen()) return false;
    Gate.permit(made);
    return true;
  }

  // Hand-overs: from inside java.util.concurrent.

  public static void given(Object task) {
    handOver(task, Kinds.GIVE, 0);
  }

  public static void begins(Object task) {
    handOver(task, Kinds.GET, 0);
  }

  public static void completed(Object future) {
    handOver(future, Kinds.GIVE, 1);
  }

  public static void seen(Object future) {
    handOver(future, Kinds.GET, 1);
  }

  private static void handOver(Object o, int kind, int what) {
    if (!Task.on || o == null) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    int site = kind == Kinds.GET && what == 0 ? 0 : t.callSite;
    step(t, kind, o, site);
    if (t.out == null) return;
    t.inside++;
    int id = Ids.of(o, t);
    Hd.touch(t, id);
    t.record(kind, id, 1 + what, 0, site, Stripes.moment(t, id));
    t.inside--;
  }

}
