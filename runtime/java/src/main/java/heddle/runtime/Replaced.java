package heddle.runtime;

/** Calls that are replaced: what observed code calls instead of the methods of Thread and Object that wait, and that end the waiting of others. */
public final class Replaced {
  private Replaced() {}

  public static void sleep(long ms, int site) throws InterruptedException {
    Task t = Hd.taskFor(Kinds.YIELD, null, site);
    if (t != null) Calls.looksForInterrupt(t, t, site);
    if (t != null && Config.mode == Config.REPLAY && !Gate.isOpen() && ms >= 0) {
      if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
      boolean ends = ms < FOR_EVER;
      if (ends && !Clocks.wasInterrupted()) Gate.rest(t, nanos(ms), site);
      else if (!Gate.block(t, Kinds.YIELD, new Object(), null, site, ends ? Turns.after(nanos(ms)) : 0)) Thread.sleep(ms);
      if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
      return;
    }
    boolean interrupted = true;
    try {
      Thread.sleep(ms);
      interrupted = false;
    } finally {
      if (t != null) Clocks.slept(t, interrupted);
    }
  }

  /** In milliseconds: who sleeps so long waits to be interrupted. Shorter sleeps take no time in replays, but for those that an interrupt ended in the recorded run. */
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

  public static void sleep(java.time.Duration time, int site) throws InterruptedException {
    if (!time.isNegative()) sleep(Math.max(time.isZero() ? 0 : 1, time.toMillis()), site);
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
      long deadline = ms == 0 ? 0 : Turns.after(nanos(ms));
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
        modelled = Gate.blockInWait(t, o, Monitors.of(o, t), site, ms == 0 ? 0 : Turns.after(nanos(ms)));
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
}
