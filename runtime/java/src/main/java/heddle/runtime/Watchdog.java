package heddle.runtime;

/** A thread of the agent in replays. It detects that the thread with the turn waits for something that is not modelled, that a line can no longer be carried out, and that no thread can continue. */
final class Watchdog extends Thread {
  private static final int STUCK_LOOKS = 12;
  /** The same where a thread waits for something that is not modelled: on a busy machine one that can go on looks as if it waited, for a while. */
  private static final int STUCK_AWAY_LOOKS = 600;
  /** So long a line waits for a thread that waits for something that is not modelled: perhaps for what a thread at the gate has. */
  private static final int IDLE_LOOKS = 100;
  private static final int LOOK_MS = 5;
  /** A thread that is not running this long with the turn waits for something that is not modelled. */
  private static final int ASLEEP_LOOKS = 10;
  /** So long a line waits for a thread that is away. */
  private static final int PATIENCE_LOOKS = 600;

  private int stuck;
  private int asleep;
  private int missing;
  private int idle;
  private int reading;
  private Task watched;
  private long steps;

  Watchdog() {
    super("heddle");
  }

  @Override
  public void run() {
    while (!Turns.open) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
      if (Hd.noRoom) {
        synchronized (Turns.lock) {
          Lines.giveUp("there was no stack or memory left to follow it");
        }
        Gate.open();
        return;
      }
      synchronized (Turns.lock) {
        look();
      }
    }
  }

  private void look() {
    if (Turns.runner == null) {
      asleep = 0;
      boolean away = Turns.anyone(Task.AWAY);
      if (away && !allAwayAreIdle()) {
        stuck = 0;
        idle = 0;
        if (Lines.more() && ++missing > PATIENCE_LOOKS) {
          Lines.giveUp("it does not come back: " + Lines.name());
          missing = 0;
        }
        if (!Lines.more() || Turns.anyone(Task.READY)) Turns.pick(Turns.last);
        return;
      }
      missing = 0;
      if (away && Lines.more() && ++idle > IDLE_LOOKS) {
        Lines.giveUp("it waits for something that is not modelled: " + Lines.name());
        idle = 0;
      }
      Turns.pick(Turns.last);
      if (Turns.runner != null) {
        stuck = 0;
        missing = 0;
        return;
      }
      if (!(away && Lines.more()) && ++stuck >= (away ? STUCK_AWAY_LOOKS : STUCK_LOOKS)) tellDeadlock();
      return;
    }
    stuck = 0;
    missing = 0;
    idle = 0;
    Task t = Turns.runner;
    if (t != watched || t.steps != steps) {
      watched = t;
      steps = t.steps;
      asleep = 0;
      reading = 0;
      return;
    }
    Thread.State state = t.thread.getState();
    boolean running = state == Thread.State.NEW || state == Thread.State.RUNNABLE;
    if (running && !(++reading > ASLEEP_LOOKS && isReading(t))) {
      asleep = 0;
      return;
    }
    if (state == Thread.State.TERMINATED) {
      t.state = Task.GONE;
      Turns.pick(t);
      return;
    }
    if (!running && ++asleep < ASLEEP_LOOKS) return;
    asleep = 0;
    reading = 0;
    t.state = Task.AWAY;
    Lines.settle(t, t.steps + 1);
    t.until = t.steps; // it asks when it is back
    Turns.last = t;
    Turns.pick(t);
  }

  /** It waits for the outside world: the JVM calls that running. */
  private boolean isReading(Task t) {
    reading = 0;
    StackTraceElement[] stack = t.thread.getStackTrace();
    if (stack.length == 0 || !stack[0].isNativeMethod()) return false;
    String name = stack[0].getClassName();
    return name.startsWith("sun.nio.") || name.startsWith("java.net.") || name.startsWith("java.io.") || name.startsWith("java.lang.Process");
  }

  /** Those outside wait for what nobody of us can bring: threads that are blocked, not ones that sleep, compute or read. */
  private boolean allAwayAreIdle() {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) {
      Task t = all[i];
      if (t.state != Task.AWAY) continue;
      Thread.State state = t.thread.getState();
      if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) return false;
    }
    return true;
  }

  private static boolean told;

  private static void tellDeadlock() {
    if (told) return;
    Task[] all = Task.all;
    // Who sleeps wakes up some time.
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].state == Task.BLOCKED && all[i].waitsKind == Kinds.YIELD) return;
    boolean matters = false;
    for (int i = 0, n = Task.count; i < n; i++) {
      Task t = all[i];
      if (t.state == Task.BLOCKED && !t.thread.isDaemon() && t.thread.isAlive()) matters = true;
      if (t.state == Task.AWAY && !t.thread.isDaemon() && t.thread.isAlive()) matters = true;
    }
    if (!matters) return;
    told = true;
    for (int i = 0, n = Task.count; i < n; i++) {
      Task t = all[i];
      if (t.state != Task.BLOCKED) continue;
      Task holder = Turns.holderOf(t);
      Result.line("waits " + t.name + "|" + t.waitsKind + "|" + typeOf(t.waitsObject) + "|" + t.waitsSite + "|" + Tables.place(t.waitsSite) + "|" + (holder == null ? "-" : holder.name));
    }
    Result.line("deadlock");
  }

  private static String typeOf(Object o) {
    return o == null ? "" : o instanceof Class ? ((Class<?>) o).getName() : o.getClass().getName();
  }
}
