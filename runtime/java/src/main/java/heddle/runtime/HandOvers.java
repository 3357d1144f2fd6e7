package heddle.runtime;

import java.util.concurrent.Future;

/** Called from inside java.util.concurrent: a task is given to a pool and begun there, a future is completed and its result seen, the threads of a pool end and somebody sees that. */
public final class HandOvers {
  private HandOvers() {}

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

  public static void completedIf(boolean is, Object future) {
    if (is) completed(future);
  }

  /** Somebody has asked whether it is done. */
  public static void seenIf(boolean is, Object future) {
    if (is) seen(future);
  }

  /** Is it done? To ask is seen (seenIf). */
  public static void asked(Object future) {
    if (Task.on && future instanceof Future) ((Future<?>) future).isDone();
  }

  /** What was found where the result of a future stands. */
  public static Object found(Object future, Object result) {
    if (result != null) seen(future);
    return result;
  }

  /** A task, or some of them. */
  public static void allSeen(Object tasks) {
    if (!Task.on) return;
    if (tasks instanceof Object[]) for (Object one : (Object[]) tasks) seen(one);
    else if (tasks instanceof java.util.Collection) for (Object one : (java.util.Collection<?>) tasks) seen(one);
    else seen(tasks);
  }

  /** Of a latch: the threads of a pool. Whoever sees that the pool has ended sees what they did. (A phase of a Phaser has its number there.) */
  private static final int WORKERS = Integer.MAX_VALUE;

  /** A thread of the pool ends. */
  public static void leaves(Object pool) {
    record(pool, Kinds.LATCH_DOWN, WORKERS, 0);
  }

  /** Somebody has asked whether the pool has ended, or has waited for it. */
  public static void ended(boolean is, Object pool) {
    if (is) record(pool, Kinds.LATCH_AWAIT, WORKERS, siteOfCall());
  }

  private static int siteOfCall() {
    Task t = Task.on ? Task.current() : null;
    return t == null ? 0 : t.callSite;
  }

  private static void handOver(Object o, int kind, int what) {
    record(o, kind, 1 + what, kind == Kinds.GET && what == 0 ? 0 : siteOfCall());
  }

  private static void record(Object o, int kind, int field, int site) {
    try {
      if (!Task.on || o == null) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      Calls.step(t, kind, o, site);
      if (t.out == null) return;
      t.inside++;
      try {
        int id = Ids.of(o, t);
        Hd.touch(t, id, o);
        t.record(kind, id, field, 0, site, Stripes.moment(t, id));
      } finally {
        t.inside--;
      }
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }
}
