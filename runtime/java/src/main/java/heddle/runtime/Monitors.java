package heddle.runtime;

import java.util.HashMap;
import java.util.Map;

/**
 * Replays: a model of monitors. A thread that cannot enter a monitor waits at the gate; the real monitor is entered afterwards, when it is free. A thread that waits on an object does so really,
 * which gives its monitor back, however often it was taken; it goes on when it gets the turn.
 */
final class Monitors {
  static final class Monitor {
    Task owner;
    int count;
    final int id;

    Monitor(int id) {
      this.id = id;
    }
  }

  private static final Map<Integer, Monitor> all = new HashMap<>();

  private Monitors() {}

  static Monitor of(Object o, Task t) {
    int id = Ids.of(o, t);
    synchronized (all) {
      Monitor m = all.get(id);
      if (m == null) all.put(id, m = new Monitor(id));
      return m;
    }
  }

  static void enter(Task t, Object o, int site) {
    Monitor m = of(o, t);
    while (!Gate.take(t, m)) Gate.block(t, Kinds.LOCK, m, o, site, 0);
  }

  static void exit(Task t, Object o) {
    Gate.free(t, of(o, t));
  }

  /** Code of the JDK that is not observed takes it and gives it back at once. */
  static void pass(Task t, Object o, int site) {
    Monitor m = of(o, t);
    while (m.owner != null && m.owner != t && !Gate.isOpen()) Gate.block(t, Kinds.LOCK, m, o, site, 0);
  }
}
