package heddle.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.HashMap;
import java.util.Map;
import jdk.internal.vm.annotation.DontInline;

/** The initialisation of classes: a lock that the JVM takes, once. */
final class Classes {
  /** Somebody initialises it: what others wait for. */
  static final class Running {
    final int type;
    final Task task;

    Running(int type, Task task) {
      this.type = type;
      this.task = task;
    }

    /** Where there was no stack left its end was not told: it is not on the stack of its thread any more. */
    boolean isAtWork() {
      StackTraceElement[] stack = AccessController.doPrivileged((PrivilegedAction<StackTraceElement[]>) () -> task.thread.getStackTrace());
      for (StackTraceElement frame : stack) if (frame.getMethodName().equals("<clinit>")) return true;
      return false;
    }
  }

  private static final Map<Integer, Running> running = new HashMap<>();
  private static final Map<Integer, Boolean> done = new HashMap<>();

  private Classes() {}

  static synchronized void begin(Task t, int type) {
    running.put(type, new Running(type, t));
  }

  static void end(Task t, int type) {
    Running ended;
    synchronized (Classes.class) {
      ended = running.remove(type);
      done.put(type, true);
    }
    seen(t, type);
    if (Config.mode == Config.REPLAY && ended != null) Gate.wakeAll(ended);
  }

  private static synchronized void forget(Running one) {
    running.remove(one.type, one);
  }

  static synchronized boolean isRunning(Running one) {
    return running.get(one.type) == one;
  }

  private static void seen(Task t, int type) {
    if (type >= t.initialised.length) {
      boolean[] longer = new boolean[Math.max(type + 1, t.initialised.length * 2)];
      System.arraycopy(t.initialised, 0, longer, 0, t.initialised.length);
      t.initialised = longer;
    }
    t.initialised[type] = true;
  }

  private static synchronized Running initialiser(int type) {
    return running.get(type);
  }

  private static synchronized boolean isDone(int type) {
    return done.containsKey(type);
  }

  @DontInline
  static void uses(Task t, int type, int site) {
    Running other = initialiser(type);
    if (other != null && other.task == t) return;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, Kinds.ONCE_SEEN, null, site);
    if (Config.mode == Config.REPLAY) {
      while ((other = initialiser(type)) != null && other.task != t && !Gate.isOpen()) Gate.block(t, Kinds.ONCE_SEEN, other, null, site, 0);
    } else {
      // The JVM would let it wait in the next instruction.
      for (int looks = 1; (other = initialiser(type)) != null && other.task != t; looks++) {
        if (looks % 4096 == 0 && !other.isAtWork()) forget(other);
        Thread.yield();
      }
    }
    seen(t, type);
    // Else this use initialises it, or that was before there was a second thread.
    if (isDone(type)) t.record(Kinds.ONCE_SEEN, 0, type, 0, site, Stripes.moment(t, -type));
  }
}
