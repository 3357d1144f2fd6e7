package heddle.runtime;

/** Called from inside java.util.concurrent: a task is given to a pool and begun there, a future is completed and its result seen. */
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

  /** A task, or some of them. */
  public static void allSeen(Object tasks) {
    if (!Task.on) return;
    if (tasks instanceof Object[]) for (Object one : (Object[]) tasks) seen(one);
    else if (tasks instanceof java.util.Collection) for (Object one : (java.util.Collection<?>) tasks) seen(one);
    else seen(tasks);
  }

  private static void handOver(Object o, int kind, int what) {
    try {
      if (!Task.on || o == null) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      int site = kind == Kinds.GET && what == 0 ? 0 : t.callSite;
      Calls.step(t, kind, o, site);
      if (t.out == null) return;
      t.inside++;
      try {
        int id = Ids.of(o, t);
        Hd.touch(t, id, o);
        t.record(kind, id, 1 + what, 0, site, Stripes.moment(t, id));
      } finally {
        t.inside--;
      }
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }
}
