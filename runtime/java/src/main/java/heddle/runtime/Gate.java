package heddle.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * Replays. One thread runs at a time: it has the turn, and passes it on where the schedule says so, where it cannot go on, or when it leaves for something that is not
 * modelled. A line of the schedule names a thread and the number of the step up to which it goes on. After the last line, or when one cannot be carried out, threads go on
 * by a fixed rule: the one that has the turn until it has to wait, then the next. The same as runtime/native/gate.c.
 */
final class Gate {
  private static final class Line {
    long upTo;
    int kind;
    boolean timesOut;
    /** Its last step is at one of these; none: anywhere. */
    String[] places;
    String name;
  }

  private static final List<Line> lines = new ArrayList<>();
  private static int line;
  private static boolean givenUp;
  private static volatile boolean open;
  /** A StackOverflowError came in the middle of something of ours: what is known of monitors may be wrong. */
  static volatile boolean noStack;
  private static Task runner;
  private static Task last;
  private static long queueNumbers;
  private static int alone;

  /** Of the present line: its last step has been begun, at this place. */
  private static boolean begun;
  private static int begunSite;
  private static int begunKind;

  /** A program that does not do the same twice comes to the place of a line somewhat later: so many steps it is waited for. */
  private static final int MOST_DRIFT = 5000;
  /** So many steps without a wait, and the next thread gets the turn: it may be spinning for what another one does. */
  private static final int QUANTUM = 20000;
  private static final int MOST_ALONE = 50;
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

  private static final Object lock = new Object();

  private Gate() {}

  // The schedule.

  /** `UPTO KIND FLAGS PLACES NAME`, tabs between them; places with commas, `0`: any. */
  static void addLine(String text) {
    String[] parts = text.split("\t");
    Line l = new Line();
    l.upTo = Long.parseLong(parts[0]);
    l.kind = Integer.parseInt(parts[1]);
    l.timesOut = parts[2].equals("1");
    l.places = parts[3].equals("0") ? new String[0] : parts[3].split(",");
    l.name = parts[4];
    lines.add(l);
  }

  private static boolean scheduled() {
    return !givenUp && line < lines.size();
  }

  private static Task named(String name) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].name.equals(name)) return all[i];
    return null;
  }

  private static void giveUp(String why) {
    if (!scheduled()) return;
    Result.line("gave-up " + (line + 1) + " " + why);
    givenUp = true;
  }

  private static long endOfLine(Task t) {
    return lines.get(line).upTo + t.drift;
  }

  private static void lineDone() {
    Result.line("line " + (line + 1) + " " + begunKind + " " + Tables.place(begunSite));
    line++;
    begun = false;
    begunSite = 0;
    begunKind = 0;
  }

  // Who is next.

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

  private static boolean anyone(int state) {
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

  /** With the gate locked and nobody running. */
  private static void pick(Task after) {
    runner = null;
    if (open) return;
    while (scheduled()) {
      Line l = lines.get(line);
      Task t = named(l.name);
      if (t == null) {
        if (anyone(Task.AWAY)) return;
        giveUp("it was never made: " + l.name);
        break;
      }
      if (t.state == Task.READY && (t.needs == null || t.needs.owner == null)) {
        if (t.steps > endOfLine(t)) {
          lineDone();
          continue;
        }
        t.deadline = 0;
        run(t);
        return;
      }
      if (t.state == Task.BLOCKED && l.timesOut && t.deadline != 0 && (t.needs == null || t.needs.owner == null)) {
        timeOut(t);
        return;
      }
      if (t.state == Task.AWAY) return; // it will come, or the watchdog gives up
      if (t.state == Task.GONE && t.steps >= endOfLine(t)) {
        lineDone();
        continue;
      }
      if (t.state == Task.GONE) giveUp("it ended before that: " + l.name);
      else {
        if (t.state == Task.BLOCKED && t.deadline != 0 && (t.needs == null || t.needs.owner == null)) {
          timeOut(t); // time passes where nothing else can happen
          return;
        }
        Task holder = holderOf(t);
        giveUp(holder != null ? "it has to wait for what is held by " + holder.name : "it has to wait: " + l.name);
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

  private static Task holderOf(Task t) {
    if (t.waitsFor instanceof Classes.Running) return ((Classes.Running) t.waitsFor).task;
    if (t.waitsFor instanceof Monitors.Monitor) return ((Monitors.Monitor) t.waitsFor).owner;
    return t.waitsObject == null ? null : Calls.ownerOf(t.waitsObject, t);
  }

  /** Stands until it has the turn. An interrupt ends what it waits for, if that can be interrupted, and is kept. */
  private static void waitTurn(Task t) {
    boolean interrupted = false;
    for (;;) {
      synchronized (t.door) {
        if (t.turn || open) {
          t.turn = false;
          break;
        }
        try {
          t.door.wait();
          continue;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      interrupted(t); // without its door: whoever gives turns has the gate first
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** With the gate locked: is it still so that who comes for it has to wait? Somebody who is away may have been here meanwhile. */
  private static boolean mustWait(Task t, Object key) {
    if (key == t) return !t.permit;
    if (key instanceof Task) return ((Task) key).state != Task.GONE;
    if (key instanceof Monitors.Monitor) return ((Monitors.Monitor) key).owner != null && ((Monitors.Monitor) key).owner != t;
    if (key instanceof Classes.Running) return Classes.isRunning((Classes.Running) key);
    return true;
  }

  /** Takes a monitor of the model where nobody else has it. */
  static boolean take(Task t, Monitors.Monitor m) {
    synchronized (lock) {
      if (m.owner != null && m.owner != t && !open) return false;
      m.owner = t;
      m.count++;
      return true;
    }
  }

  static void free(Task t, Monitors.Monitor m) {
    synchronized (lock) {
      if (m.owner != t || --m.count > 0) return;
      m.owner = null;
      m.count = 0;
      wake(m);
    }
  }

  /** The permit of a thread: for the next time it parks. */
  static void permit(Task t) {
    synchronized (lock) {
      t.permit = true;
      if (t.state == Task.BLOCKED && t.waitsFor == t) ready(t, 1);
    }
  }

  private static boolean isAt(Line l, int kind, int site) {
    if (kind != 0 && l.kind != 0 && l.kind != kind) return false;
    if (l.places.length == 0 || site == 0) return true;
    String place = Tables.place(site);
    for (String one : l.places) if (one.equals(place)) return true;
    return false;
  }

  /** With the turn, before step `t.steps`: how far may it go without asking? */
  private static void setUntil(Task t, int kind, int site) {
    if (!scheduled()) {
      t.until = t.steps + QUANTUM;
      return;
    }
    Line l = lines.get(line);
    if (!l.name.equals(t.name)) {
      t.until = t.steps;
      return;
    }
    if (t.steps < endOfLine(t)) {
      t.until = endOfLine(t) - 1;
      return;
    }
    t.until = t.steps;
    if (isAt(l, kind, site)) {
      begun = true;
      begunSite = site;
      begunKind = kind;
      t.tries = 0;
    } else if (l.places.length > 0 && t.tries++ < MOST_DRIFT) {
      t.drift++;
    } else {
      giveUp("it does something else there: " + l.name);
      t.until = t.steps + QUANTUM;
    }
  }

  private static void settleLine(Task t, long standsBefore) {
    while (scheduled() && lines.get(line).name.equals(t.name) && standsBefore > endOfLine(t)) lineDone();
  }

  /** With the gate locked; it is free meanwhile. */
  private static void stand(Task t, int kind, int site, int state) {
    t.state = state;
    t.seq = ++queueNumbers;
    if (runner == t || runner == null) {
      last = t;
      pick(t);
    }
  }

  static void start(Task main) {
    if (Config.mode != Config.REPLAY) return;
    main.state = Task.RUNS;
    runner = main;
    Watchdog watchdog = new Watchdog();
    watchdog.setDaemon(true);
    watchdog.start();
    Waker.begin();
    synchronized (lock) {
      setUntil(main, 0, 0);
    }
  }

  /** How far a thread may go that has just begun. */
  static long first() {
    return Config.mode == Config.REPLAY || Config.mode == Config.DELAY ? 0 : Long.MAX_VALUE;
  }

  static boolean isOpen() {
    return open;
  }

  /** Nobody is held any more. */
  static void open() {
    if (Config.mode != Config.REPLAY && Config.mode != Config.DELAY) return;
    synchronized (lock) {
      if (open) return;
      if (scheduled() && begun) lineDone();
      open = true;
      Task[] all = Task.all;
      for (int i = 0, n = Task.count; i < n; i++) {
        all[i].until = Long.MAX_VALUE;
        synchronized (all[i].door) {
          all[i].door.notifyAll();
        }
        if (all[i].realWait != null) Waker.wake(all[i].realWait);
      }
    }
  }

  static void gate(Task t, int kind, Object object, int site) {
    if (Config.mode == Config.DELAY) {
      Delays.pass(t, kind, object, site);
      return;
    }
    if (Config.mode != Config.REPLAY || open) {
      t.until = Long.MAX_VALUE;
      return;
    }
    synchronized (lock) {
      if (runner == t) {
        settleLine(t, t.steps);
        // It goes on where the next line is its own.
        if (scheduled() && lines.get(line).name.equals(t.name)) {
          setUntil(t, kind, site);
          return;
        }
      }
      stand(t, kind, site, Task.READY);
    }
    waitTurn(t);
    synchronized (lock) {
      setUntil(t, kind, site);
    }
  }

  /** Stands until somebody wakes it, or its time is up. `key`: what wakes it; `object`: what it waits for, in the program. False: nobody did, and nobody is held any more. */
  static boolean block(Task t, int kind, Object key, Object object, int site, long deadline) {
    t.inside++;
    try {
      synchronized (lock) {
        if (open) return false;
        if (!mustWait(t, key)) {
          t.woken = 1;
          return true;
        }
        // Who parks inside a call that is no step, as of a future, has taken its last step.
        boolean between = key == t && t.callKind == 0;
        if (runner == t) settleLine(t, between ? t.steps + 1 : t.steps);
        t.waitsFor = key;
        t.waitsKind = kind;
        t.waitsSite = site;
        t.waitsObject = object;
        t.deadline = deadline;
        t.woken = 0;
        stand(t, kind, site, Task.BLOCKED);
      }
      waitTurn(t);
      synchronized (lock) {
        if (open && t.woken == 0) return false;
        setUntil(t, kind, site);
        t.deadline = 0;
        return true;
      }
    } finally {
      t.inside--;
    }
  }

  /** The same for a wait on an object, whose monitor is given back meanwhile. */
  static boolean blockInWait(Task t, Object object, Monitors.Monitor m, int site, long deadline) throws InterruptedException {
    boolean interrupted = false;
    synchronized (lock) {
      if (open) return false;
      if (runner == t) settleLine(t, t.steps);
      t.needs = m;
      t.needsCount = m.count;
      m.owner = null;
      m.count = 0;
      t.waitsFor = object;
      t.waitsKind = Kinds.WOKEN;
      t.waitsSite = site;
      t.waitsObject = object;
      t.deadline = deadline;
      t.woken = 0;
      t.realWait = object;
      wake(m);
      stand(t, Kinds.WOKEN, site, Task.BLOCKED);
    }
    for (;;) {
      synchronized (t.door) {
        if (t.turn || open) {
          t.turn = false;
          break;
        }
      }
      try {
        object.wait(50);
      } catch (InterruptedException e) {
        interrupted = true;
        Gate.interrupted(t);
      }
    }
    synchronized (lock) {
      t.realWait = null;
      if (open && t.woken == 0 && !interrupted) return false;
      setUntil(t, Kinds.WOKEN, site);
      t.deadline = 0;
    }
    if (t.woken == 3 || interrupted) {
      Thread.interrupted();
      throw new InterruptedException();
    }
    return true;
  }

  private static void ready(Task t, int why) {
    t.woken = why;
    t.deadline = 0;
    t.state = Task.READY;
  }

  private static void wake(Object key) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].state == Task.BLOCKED && all[i].waitsFor == key) ready(all[i], 1);
  }

  static void wakeAll(Object key) {
    synchronized (lock) {
      wake(key);
    }
  }

  /** Of those that wait for it the one that the schedule needs first, else the one that waits longest. */
  static boolean wakeOne(Object key) {
    synchronized (lock) {
      Task best = null;
      int bestLine = Integer.MAX_VALUE;
      Task[] all = Task.all;
      for (int i = 0, n = Task.count; i < n; i++) {
        Task t = all[i];
        if (t.state != Task.BLOCKED || t.waitsFor != key) continue;
        int at = Integer.MAX_VALUE;
        for (int l = line; !givenUp && l < lines.size(); l++) {
          if (lines.get(l).name.equals(t.name) && lines.get(l).upTo + t.drift >= t.steps) {
            at = l;
            break;
          }
        }
        if (best == null || at < bestLine || at == bestLine && t.seq < best.seq) {
          best = t;
          bestLine = at;
        }
      }
      if (best != null) ready(best, 1);
      return best != null;
    }
  }

  static void interrupted(Task t) {
    synchronized (lock) {
      // Who waits for a monitor, or for a class, goes on waiting.
      boolean may = t.waitsKind != Kinds.LOCK || t.waitsFor == t;
      if (t.state == Task.BLOCKED && may && t.waitsKind != Kinds.ONCE_SEEN) ready(t, 3);
      if (t.state == Task.READY) t.deadline = 0; // it does not sleep any longer
    }
  }

  /** Sleeps: while lines are carried out no time passes; else others go first. */
  static void rest(Task t, long ns, int site) {
    synchronized (lock) {
      if (open || runner != t || scheduled()) return;
      t.deadline = ns > 0 ? after(ns) : 0;
      stand(t, Kinds.YIELD, site, Task.READY);
    }
    waitTurn(t);
    synchronized (lock) {
      setUntil(t, Kinds.YIELD, site);
      t.deadline = 0;
    }
  }

  static void outside(Task t) {
    if (Config.mode != Config.REPLAY) return;
    synchronized (lock) {
      if (open) return;
      t.state = Task.AWAY;
      if (runner == t) {
        settleLine(t, t.steps + 1);
        last = t;
        pick(t);
      }
    }
  }

  static void back(Task t) {
    if (Config.mode != Config.REPLAY) return;
    synchronized (lock) {
      if (open) return;
      t.steps++; // the step has been taken: it stands before the next one
      stand(t, 0, 0, Task.READY);
    }
    waitTurn(t);
    synchronized (lock) {
      setUntil(t, 0, 0);
      t.steps--;
      if (t.until == t.steps + 1) t.until = t.steps;
    }
  }

  static void awaitArrival(Task child) {
    for (int i = 0; i < 4000 && child.state == Task.AWAY && !open; i++) {
      try {
        Thread.sleep(0, i < 200 ? 50_000 : 500_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  static void gone(Task t) {
    if (Config.mode != Config.REPLAY) return;
    synchronized (lock) {
      t.state = Task.GONE;
      wake(t);
      if (runner == t) {
        settleLine(t, t.steps + 1);
        last = t;
        pick(t);
      }
    }
  }

  // The watchdog: a thread of ours.

  private static final class Watchdog extends Thread {
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
      while (!open) {
        try {
          Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
          return;
        }
        if (noStack) {
          synchronized (lock) {
            giveUp("there was no stack left to follow it");
          }
          open();
          return;
        }
        synchronized (lock) {
          look();
        }
      }
    }

    private void look() {
      if (runner == null) {
        asleep = 0;
        boolean away = anyone(Task.AWAY);
        if (away && !allAwayAreIdle()) {
          stuck = 0;
          idle = 0;
          if (scheduled() && ++missing > PATIENCE_LOOKS) {
            giveUp("it does not come back: " + lines.get(line).name);
            missing = 0;
          }
          if (!scheduled() || anyone(Task.READY)) pick(last);
          return;
        }
        missing = 0;
        if (away && scheduled() && ++idle > IDLE_LOOKS) {
          giveUp("it waits for something that is not modelled: " + lines.get(line).name);
          idle = 0;
        }
        pick(last);
        if (runner != null) {
          stuck = 0;
          missing = 0;
          return;
        }
        if (!(away && scheduled()) && ++stuck >= (away ? STUCK_AWAY_LOOKS : STUCK_LOOKS)) tellDeadlock();
        return;
      }
      stuck = 0;
      missing = 0;
      idle = 0;
      Task t = runner;
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
        pick(t);
        return;
      }
      if (!running && ++asleep < ASLEEP_LOOKS) return;
      asleep = 0;
      reading = 0;
      t.state = Task.AWAY;
      settleLine(t, t.steps + 1);
      t.until = t.steps; // it asks when it is back
      last = t;
      pick(t);
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
      Task holder = holderOf(t);
      Result.line("waits " + t.name + "|" + t.waitsKind + "|" + typeOf(t.waitsObject) + "|" + t.waitsSite + "|" + Tables.place(t.waitsSite) + "|" + (holder == null ? "-" : holder.name));
    }
    Result.line("deadlock");
  }

  private static String typeOf(Object o) {
    return o == null ? "" : o instanceof Class ? ((Class<?>) o).getName() : o.getClass().getName();
  }
}
