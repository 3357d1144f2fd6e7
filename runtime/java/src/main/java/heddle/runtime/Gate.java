package heddle.runtime;

/**
 * Replays: the gate at which threads wait. One thread runs at a time: it has the turn (Turns.java), and passes it on where the schedule (Lines.java) says so, where it cannot go on, or when
 * it leaves for something that is not modelled. The same as runtime/native/gate.c.
 */
final class Gate {
  private Gate() {}

  /** Stands until it has the turn. An interrupt ends what it waits for, if that can be interrupted, and is kept. */
  private static void waitTurn(Task t) {
    boolean interrupted = false;
    for (;;) {
      synchronized (t.door) {
        if (t.turn || Turns.open) {
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
    synchronized (Turns.lock) {
      if (m.owner != null && m.owner != t && !Turns.open) return false;
      m.owner = t;
      m.count++;
      return true;
    }
  }

  static void free(Task t, Monitors.Monitor m) {
    synchronized (Turns.lock) {
      if (m.owner != t || --m.count > 0) return;
      m.owner = null;
      m.count = 0;
      Turns.wake(m);
    }
  }

  /** The permit of a thread: for the next time it parks. */
  static void permit(Task t) {
    synchronized (Turns.lock) {
      t.permit = true;
      if (t.state == Task.BLOCKED && t.waitsFor == t) Turns.ready(t, 1);
    }
  }

  static void start(Task main) {
    if (Config.mode != Config.REPLAY) return;
    main.state = Task.RUNS;
    Turns.runner = main;
    Watchdog watchdog = new Watchdog();
    watchdog.setDaemon(true);
    watchdog.start();
    Waker.begin();
    synchronized (Turns.lock) {
      Lines.setUntil(main, 0, 0);
    }
  }

  /** How far a thread may go that has just begun. */
  static long first() {
    return Config.mode == Config.REPLAY || Config.mode == Config.DELAY ? 0 : Long.MAX_VALUE;
  }

  static boolean isOpen() {
    return Turns.open;
  }

  /** Nobody is held any more. */
  static void open() {
    if (Config.mode != Config.REPLAY && Config.mode != Config.DELAY) return;
    synchronized (Turns.lock) {
      if (Turns.open) return;
      Lines.finish();
      Turns.open = true;
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
    Room.forMore();
    if (Config.mode == Config.DELAY) {
      Delays.pass(t, kind, object, site);
      return;
    }
    if (Config.mode != Config.REPLAY || Turns.open) {
      t.until = Long.MAX_VALUE;
      return;
    }
    synchronized (Turns.lock) {
      if (Turns.runner == t) {
        Lines.settle(t, t.steps);
        // It goes on where the next line is its own.
        if (Lines.isOf(t)) {
          Lines.setUntil(t, kind, site);
          return;
        }
      }
      Turns.stand(t, Task.READY);
    }
    waitTurn(t);
    synchronized (Turns.lock) {
      Lines.setUntil(t, kind, site);
    }
  }

  /** Stands until somebody wakes it, or its time is up. `key`: what wakes it; `object`: what it waits for, in the program. False: nobody did, and nobody is held any more. */
  static boolean block(Task t, int kind, Object key, Object object, int site, long deadline) {
    Room.forMore();
    t.inside++;
    try {
      synchronized (Turns.lock) {
        if (Turns.open) return false;
        if (!mustWait(t, key)) {
          t.woken = 1;
          return true;
        }
        // Who parks inside a call that is no step, as of a future, has taken its Turns.last step.
        boolean between = key == t && t.callKind == 0;
        if (Turns.runner == t) Lines.settle(t, between ? t.steps + 1 : t.steps);
        t.waitsFor = key;
        t.waitsKind = kind;
        t.waitsSite = site;
        t.waitsObject = object;
        t.deadline = deadline;
        t.woken = 0;
        Turns.stand(t, Task.BLOCKED);
      }
      waitTurn(t);
      synchronized (Turns.lock) {
        if (Turns.open && t.woken == 0) return false;
        Lines.setUntil(t, kind, site);
        t.deadline = 0;
        return true;
      }
    } finally {
      t.inside--;
    }
  }

  /** The same for a wait on an object, whose monitor is given back meanwhile. */
  static boolean blockInWait(Task t, Object object, Monitors.Monitor m, int site, long deadline) throws InterruptedException {
    Room.forMore();
    boolean interrupted = false;
    synchronized (Turns.lock) {
      if (Turns.open) return false;
      if (Turns.runner == t) Lines.settle(t, t.steps);
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
      Turns.wake(m);
      Turns.stand(t, Task.BLOCKED);
    }
    for (;;) {
      synchronized (t.door) {
        if (t.turn || Turns.open) {
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
    synchronized (Turns.lock) {
      t.realWait = null;
      if (Turns.open && t.woken == 0 && !interrupted) return false;
      Lines.setUntil(t, Kinds.WOKEN, site);
      t.deadline = 0;
    }
    if (t.woken == 3 || interrupted) {
      Thread.interrupted();
      throw new InterruptedException();
    }
    return true;
  }

  static void wakeAll(Object key) {
    synchronized (Turns.lock) {
      Turns.wake(key);
    }
  }

  /** Of those that wait for it the one that the schedule needs first, else the one that waits longest. */
  static boolean wakeOne(Object key) {
    synchronized (Turns.lock) {
      Task best = null;
      int bestLine = Integer.MAX_VALUE;
      Task[] all = Task.all;
      for (int i = 0, n = Task.count; i < n; i++) {
        Task t = all[i];
        if (t.state != Task.BLOCKED || t.waitsFor != key) continue;
        int at = Lines.firstOf(t);
        if (best == null || at < bestLine || at == bestLine && t.seq < best.seq) {
          best = t;
          bestLine = at;
        }
      }
      if (best != null) Turns.ready(best, 1);
      return best != null;
    }
  }

  static void interrupted(Task t) {
    synchronized (Turns.lock) {
      // Who waits for a monitor, or for a class, goes on waiting.
      boolean may = t.waitsKind != Kinds.LOCK || t.waitsFor == t;
      if (t.state == Task.BLOCKED && may && t.waitsKind != Kinds.ONCE_SEEN) Turns.ready(t, 3);
      if (t.state == Task.READY) t.deadline = 0; // it does not sleep any longer
    }
  }

  /** Sleeps: while lines are carried out no time passes; else others go first. */
  static void rest(Task t, long ns, int site) {
    synchronized (Turns.lock) {
      if (Turns.open || Turns.runner != t || Lines.more()) return;
      t.deadline = ns > 0 ? Turns.after(ns) : 0;
      Turns.stand(t, Task.READY);
    }
    waitTurn(t);
    synchronized (Turns.lock) {
      Lines.setUntil(t, Kinds.YIELD, site);
      t.deadline = 0;
    }
  }

  static void outside(Task t) {
    if (Config.mode != Config.REPLAY) return;
    synchronized (Turns.lock) {
      if (Turns.open) return;
      t.state = Task.AWAY;
      if (Turns.runner == t) {
        Lines.settle(t, t.steps + 1);
        Turns.last = t;
        Turns.pick(t);
      }
    }
  }

  static void back(Task t) {
    if (Config.mode != Config.REPLAY) return;
    synchronized (Turns.lock) {
      if (Turns.open) return;
      t.steps++; // the step has been taken: it stands before the next one
      Turns.stand(t, Task.READY);
    }
    waitTurn(t);
    synchronized (Turns.lock) {
      Lines.setUntil(t, 0, 0);
      t.steps--;
      if (t.until == t.steps + 1) t.until = t.steps;
    }
  }

  static void awaitArrival(Task child) {
    for (int i = 0; i < 4000 && child.state == Task.AWAY && !Turns.open; i++) {
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
    synchronized (Turns.lock) {
      t.state = Task.GONE;
      Turns.wake(t);
      if (Turns.runner == t) {
        Lines.settle(t, t.steps + 1);
        Turns.last = t;
        Turns.pick(t);
      }
    }
  }
}
