package heddle.runtime;

import java.util.HashMap;
import java.util.Map;

/** The initialisation of classes: a lock that the JVM takes, once. */
final class Classes {
  private static final Map<Integer, Task> running = new HashMap<>();
  private static final Map<Integer, Boolean> done = new HashMap<>();

  private Classes() {}

  static synchronized void begin(Task t, int type) {
    running.put(type, t);
  }

  static void end(Task t, int type) {
    synchronized (Classes.class) {
      running.remove(type);
      done.put(type, true);
    }
    seen(t, type);
    if (Config.mode == Config.REPLAY) Gate.wakeAll(key(type));
  }

  private static Object key(int type) {
    return ("class " + type).intern();
  }

  private static void seen(Task t, int type) {
    if (type >= t.initialised.length) {
      boolean[] longer = new boolean[Math.max(type + 1, t.initialised.length * 2)];
      System.arraycopy(t.initialised, 0, longer, 0, t.initialised.length);
      t.initialised = longer;
    }
    t.initialised[type] = true;
  }

  private static synchronized Task initialiser(int type) {
    return running.get(type);
  }

  private static synchronized boolean isDone(int type) {
    return done.containsKey(type);
  }

  static void uses(Task t, int type, int site) {
    Task other = initialiser(type);
    if (other == null && !isDone(type)) return; // this use initialises it, or it was before there was a second thread
    if (other == t) return;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, Kinds.ONCE_SEEN, null, site);
    if (Config.mode == Config.REPLAY) {
      while ((other = initialiser(type)) != null && other != t && !Gate.isOpen()) Gate.block(t, Kinds.ONCE_SEEN, key(type), null, site, 0);
    } else {
      // The JVM would let it wait in the next instruction.
      while ((other = initialiser(type)) != null && other != t) Thread.yield();
    }
    seen(t, type);
    t.record(Kinds.ONCE_SEEN, 0, type, 0, site, Stripes.moment(t, -type));
  }
}
