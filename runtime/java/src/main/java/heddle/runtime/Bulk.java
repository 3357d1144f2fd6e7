package heddle.runtime;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeSet;

/**
 * Calls in which the JDK goes through a whole collection: `addAll`, `putAll`, `toString`, copies. Each element is a step, so that somebody else can change the collection in between. The hook
 * is in the iterators of java.util (rewrite/JdkHooks.java); it does something only within such a call of observed code.
 */
public final class Bulk {
  private Bulk() {}

  /** Right before a call that goes through this object by its iterator, if it is a collection. */
  public static void through(Object o, int site) {
    begins(o, true, site);
  }

  /** Right before one that asks it for an array. */
  public static void copied(Object o, int site) {
    begins(o, false, site);
  }

  private static void begins(Object o, boolean iterates, int site) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    try {
      operand(t, o, iterates, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  /** The first look is that of the iterator when it is made: who changes the collection before its only element has changed it in between. One that takes its own monitor keeps others out meanwhile. */
  static void operand(Task t, Object o, boolean iterates, int site) {
    t.bulkSite = 0;
    if (!(o instanceof Collection || o instanceof Map) || !Types.isUtil(o)) return;
    Calls.collection(t, o, false, site);
    if (!iterates || Types.isSynchronized(o)) return;
    t.bulkOf = o;
    t.bulkSite = site;
  }

  /** Right after it. */
  public static void done() {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    t.bulkSite = 0;
    t.bulkOf = null;
  }

  /** An iterator of this collection is about to give its next element. */
  public static void next(Object collection) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0 || t.bulkSite == 0) return;
    try {
      Object of = t.bulkOf instanceof HashSet || t.bulkOf instanceof TreeSet ? t.bulkOf : collection; // a set has a map inside
      Calls.collection(t, of, false, t.bulkSite);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }
}
