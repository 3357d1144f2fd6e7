package heddle.runtime;

/** Called from java.util.concurrent.locks.LockSupport, and from java.lang.Thread, in replays: a thread that parks waits at the gate. Returns true where it was handled here. */
public final class Parking {
  private Parking() {}

  /** In java.lang.Thread: who waits at the gate goes on. */
  public static void interrupting(Thread other) {
    if (Config.mode != Config.REPLAY || !Task.on || Gate.isOpen()) return;
    Task made = Task.of(other);
    if (made != null) Gate.interrupted(made);
  }

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
    long deadline = nanos < 0 ? 0 : Turns.after(nanos);
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
        } finally {
          t.inside--;
        }
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
}
