package heddle.runtime;

import java.util.Map;
import java.util.WeakHashMap;

/** Threads that were observed, also when they are gone. */
final class Joined {
  private static final Map<Thread, Task> all = new WeakHashMap<>();

  private Joined() {}

  static void add(Thread thread, Task t) {
    synchronized (all) {
      all.put(thread, t);
    }
  }

  static Task of(Thread thread) {
    synchronized (all) {
      return all.get(thread);
    }
  }

  static boolean isKnown(Thread thread) {
    return of(thread) != null;
  }
}
