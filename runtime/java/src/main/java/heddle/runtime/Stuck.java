package heddle.runtime;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * A thread of ours in recorded runs: it sees that threads of the program wait for each other's monitors and locks in a ring, tells who waits for what, and ends
 * the program. Which ones do the JVM knows.
 */
final class Stuck extends Thread {
  private static final int LOOK_MS = 500;
  /** What such a program ends with: as one that is ended by an abort. */
  private static final int CODE = 134;

  private Stuck() {
    super("heddle stuck");
    setDaemon(true);
  }

  static void begin() {
    if (Config.mode == Config.RECORD) new Stuck().start();
  }

  @Override
  public void run() {
    long[] seen = {};
    while (true) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
      try {
        if (waiting() < 2) continue;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] ring = threads.findDeadlockedThreads();
        if (ring == null) ring = new long[0];
        Arrays.sort(ring);
        boolean again = ring.length > 0 && Arrays.equals(ring, seen);
        seen = ring;
        if (again && tell(threads.getThreadInfo(ring, Integer.MAX_VALUE))) return;
      } catch (Throwable e) {
        return; // a JDK without java.management
      }
    }
  }

  /** So many threads of the program wait without an end. */
  private static int waiting() {
    int count = 0;
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) {
      Thread thread = all[i].thread;
      if (thread == null) continue;
      Thread.State state = thread.getState();
      if (state == Thread.State.BLOCKED || state == Thread.State.WAITING) count++;
    }
    return count;
  }

  private static boolean tell(ThreadInfo[] ring) {
    for (ThreadInfo one : ring) if (one == null || nameOf(one.getThreadId()) == null) return false;
    for (ThreadInfo one : ring) {
      LockInfo lock = one.getLockInfo();
      String holder = nameOf(one.getLockOwnerId());
      Result.line("waits " + nameOf(one.getThreadId()) + "|" + Kinds.LOCK + "|" + (lock == null ? "" : lock.getClassName()) + "|0|" + placeOf(one.getStackTrace()) + "|" + (holder == null ? "-" : holder));
    }
    Result.line("deadlock");
    Threads.exiting(CODE);
    Runtime.getRuntime().halt(CODE);
    return true;
  }

  /** The program is being stopped. Where every thread of it waits without an end, who waits where. */
  static void tellIfAllWait() {
    if (Config.mode != Config.RECORD) return;
    StringBuilder lines = new StringBuilder();
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) {
      Thread thread = all[i].thread;
      if (thread == null || !thread.isAlive()) continue;
      Thread.State state = thread.getState();
      if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) return;
      if (!thread.isDaemon()) lines.append("waits ").append(all[i].name).append("|0||0|").append(placeOf(thread.getStackTrace())).append("|-\n");
    }
    for (String line : lines.toString().split("\n")) if (!line.isEmpty()) Result.line(line);
  }

  @SuppressWarnings("deprecation") // threadId() is not there in older ones
  private static String nameOf(long id) {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) if (all[i].thread != null && all[i].thread.getId() == id) return all[i].name;
    return null;
  }

  private static String placeOf(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String owner = frame.getClassName();
      if (owner.startsWith("java.") || owner.startsWith("jdk.") || owner.startsWith("sun.") || owner.startsWith("heddle.")) continue;
      return owner.replace('.', '/') + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }
    return "";
  }
}
