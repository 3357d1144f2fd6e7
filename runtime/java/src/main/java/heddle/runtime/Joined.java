package heddle.runtime;

/** Threads that were observed, including those that have ended. */
final class Joined {
  private Joined() {}

  static Task of(Thread thread) {
    Task[] all = Task.all;
    for (int i = Task.count - 1; i >= 0; i--) if (all[i].thread == thread) return all[i];
    return null;
  }

  static boolean isKnown(Thread thread) {
    return of(thread) != null;
  }
}
