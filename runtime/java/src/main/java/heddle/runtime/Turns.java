package heddle.runtime;

/**
 * Which thread runs in a replay. One thread has the turn. The schedule says which one is next; where it says nothing, a fixed rule does: the one that has the turn until it has to
 * wait, then the next. The same as runtime/native/gate.c. Everything here is done with the gate locked.
 */
final class Turns {
  static final Object lock = new Object();
  /** Nobody is held any more. */
  static volatile boolean open;
  /** Who has the turn; null: nobody can go on, or who could is away. */
  static Task runner;
  /** Who had it last. */
  static Task last;
  private static long queueNumbers;
  private static int alone;
  private static final int MOST_ALONE = 50;

  private Turns() {}

  private static Task named(String name) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].name.equals(name)) return all[i];
    return null;
  }

  private static void run(Task t) {
    runner = t;
    t.state = Task.RUNS;
    t.waitsFor = null;
    if (t.needs != null) {
      t.needs.owner = t;
      t.needs.count = t.needsCount;
      t.needs = null;
    }
    Object real = t.realWait;
    synchronized (t.door) {
      t.turn = true;
      t.door.notifyAll();
    }
    if (real != null) Waker.wake(real);
  }

  static boolean anyone(int state) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].state == state) return true;
    return false;
  }

  private static boolean canRun(Task t) {
    return t.state == Task.READY && (t.needs == null || t.needs.owner == null);
  }

  /**
   * The clock of sleeps and of waits with an end: it stands still while somebody can run, so that who goes first does not depend on how busy the machine is. In
   * nanoseconds.
   */
  private static long clock = 1;
  /** Some weeks: who sleeps longer sleeps for ever. */
  private static final long LONGEST = 1L << 52;

  static long after(long ns) {
    synchronized (lock) {
      return clock + Math.min(ns, LONGEST);
    }
  }

  /** Ready threads that do not sleep; of these the next after the one that ran last. */
  private static Task fair(Task after) {
    Task[] all = Task.all;
    int n = Task.count;
    if (Config.goesOn && after != null && canRun(after) && after.deadline == 0) {
      Config.goesOn = false; // once: it may spin for what another one does
      return after;
    }
    for (int k = 1; k <= n; k++) {
      int from = after != null ? after.id : Config.lastFirst ? 0 : n - 1;
      int i = Config.lastFirst ? (from + n - k % n) % n : (from + k) % n;
      Task t = all[i];
      if (canRun(t) && t.deadline == 0) return t;
    }
    return null;
  }

  private static Task earliest(int state) {
    Task first = null;
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) {
      Task t = all[i];
      if (t.state != state || t.deadline == 0 || state == Task.READY && !canRun(t)) continue;
      // A wait that needs its monitor back cannot end while somebody has it.
      if (state == Task.BLOCKED && t.needs != null && t.needs.owner != null) continue;
      if (first == null || t.deadline < first.deadline) first = t;
    }
    return first;
  }

  private static void timeOut(Task t) {
    t.woken = 2;
    clock = Math.max(clock, t.deadline);
    t.deadline = 0;
    run(t);
  }

  /** Nobody is running. */
  static void pick(Task after) {
    runner = null;
    if (open) return;
    while (Lines.more()) {
      Task t = named(Lines.name());
      if (t == null) {
        if (anyone(Task.AWAY)) return;
        Lines.giveUp("it was never made: " + Lines.name());
        break;
      }
      if (t.state == Task.READY && (t.needs == null || t.needs.owner == null)) {
        if (t.steps > Lines.end(t)) {
          Lines.done();
          continue;
        }
        t.deadline = 0;
        run(t);
        return;
      }
      if (t.state == Task.BLOCKED && Lines.timesOut() && t.deadline != 0 && (t.needs == null || t.needs.owner == null)) {
        timeOut(t);
        return;
      }
      if (t.state == Task.AWAY) return; // it will come, or the watchdog gives up
      if (t.state == Task.GONE && t.steps >= Lines.end(t)) {
        Lines.done();
        continue;
      }
      if (t.state == Task.GONE) Lines.giveUp("it ended before that: " + Lines.name());
      else {
        boolean untilInterrupted = t.state == Task.BLOCKED && t.waitsKind == Kinds.YIELD;
        if (t.state == Task.BLOCKED && !untilInterrupted && t.deadline != 0 && (t.needs == null || t.needs.owner == null)) {
          timeOut(t); // time passes where nothing else can happen
          return;
        }
        Task holder = holderOf(t);
        String why = untilInterrupted ? "it sleeps until it is interrupted: " : "it has to wait: ";
        Lines.giveUp(holder != null ? "it has to wait for what is held by " + holder.name : why + Lines.name());
      }
      break;
    }
    Task next = fair(after);
    alone = next != null && next == after ? alone + 1 : 0;
    if (alone > MOST_ALONE && earliest(Task.READY) != null) {
      next = earliest(Task.READY);
      alone = 0;
    }
    if (next == null) next = earliest(Task.READY);
    if (next != null) {
      clock = Math.max(clock, next.deadline);
      next.deadline = 0;
      run(next);
      return;
    }
    if (anyone(Task.AWAY)) return;
    next = earliest(Task.BLOCKED);
    if (next != null) timeOut(next);
    // Otherwise nobody can go on. The watchdog says so, when it has looked for what we do not see.
  }

  static Task holderOf(Task t) {
    if (t.waitsFor instanceof Classes.Running) return ((Classes.Running) t.waitsFor).task;
    if (t.waitsFor instanceof Monitors.Monitor) return ((Monitors.Monitor) t.waitsFor).owner;
    return t.waitsObject == null ? null : Owners.of(t.waitsObject);
  }

  /** It goes on when it gets the turn; whoever is next gets it. */
  static void stand(Task t, int state) {
    t.state = state;
    t.seq = ++queueNumbers;
    if (runner == t || runner == null) {
      last = t;
      pick(t);
    }
  }

  static void ready(Task t, int why) {
    t.woken = why;
    t.deadline = 0;
    t.state = Task.READY;
  }

  static void wake(Object key) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].state == Task.BLOCKED && all[i].waitsFor == key) ready(all[i], 1);
  }
}
