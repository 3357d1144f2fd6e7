package heddle.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * Numbers of objects. Objects of observed classes have a field for theirs; arrays and objects of the JDK are looked up in a table that does not keep them.
 */
final class Ids {
  private Ids() {}

  /** The number of an object, given at its first use. */
  static int of(Object o, Task t) {
    if (o instanceof Tagged) {
      Tagged tagged = (Tagged) o;
      int id = tagged.$hd();
      return id != 0 ? id : tag(tagged, t);
    }
    return ofOther(o, t);
  }

  /** The same for arrays, and what is of no observed class. (To ask an array for an interface takes the JVM long.) */
  static int ofOther(Object o, Task t) {
    return lookUp(o, t).id;
  }

  /** A reference is kept only where it is new: to keep one costs more than to look it up (G1 marks a card, behind a fence). */
  private static Entry lookUp(Object o, Task t) {
    Entry entry = t.known[System.identityHashCode(o) & (Task.KNOWN - 1)];
    return entry != null && entry.get() == o ? entry : lookUpNew(o, t);
  }

  @DontInline
  private static Entry lookUpNew(Object o, Task t) {
    return t.known[System.identityHashCode(o) & (Task.KNOWN - 1)] = Table.find(o, t);
  }

  /** Of a thread that has recorded much: are reads of this array not recorded? It is its own, or nobody writes it. */
  static boolean isQuiet(Object array, Task t) {
    Entry entry = lookUp(array, t);
    Block block = entry.block;
    return !block.isWritten(entry.id) || block.owner == t.id && block.state(entry.id) == Block.ALONE;
  }

  /** From now on threads that meet at the object meet at the one with this number: an iterator is a part of its collection, a read lock of its pair. */
  static void partOf(Object o, int id, Task t) {
    if (!(o instanceof Tagged)) lookUp(o, t).whole = id;
  }

  /** The number of what threads meet at: the object, or what it is a part of. */
  static int met(Object o, Task t) {
    if (o instanceof Tagged) return of(o, t);
    Entry entry = lookUp(o, t);
    return entry.whole != 0 ? entry.whole : entry.id;
  }

  /** The same of a monitor that is held: the JVM takes long to say the hash code of what is locked, so the last one of this place is asked first. */
  static int metHeld(Object o, Task t, int site) {
    if (o instanceof Tagged) return of(o, t);
    Entry entry = t.heldAt[site & (Task.HELD - 1)];
    if (entry == null || entry.get() != o) t.heldAt[site & (Task.HELD - 1)] = entry = lookUp(o, t);
    return entry.whole != 0 ? entry.whole : entry.id;
  }

  @DontInline
  private static int tag(Tagged o, Task t) {
    synchronized (LOCKS[o.getClass().getName().hashCode() & (LOCKS.length - 1)]) {
      int id = o.$hd();
      if (id == 0) {
        id = fresh(t);
        o.$hd(id);
        describe(o, id, t);
      }
      return id;
    }
  }

  private static final Object[] LOCKS = new Object[64];

  static {
    for (int i = 0; i < LOCKS.length; i++) LOCKS[i] = new Object();
  }

  private static int fresh(Task t) {
    if (t.nextId == t.lastOfBlock) {
      int first = Block.add(t);
      if (first < 0) return 1; // all others are one
      t.nextId = first;
      t.lastOfBlock = first + Block.SIZE;
    }
    return t.nextId++;
  }

  private static void describe(Object o, int id, Task t) {
    t.inside++;
    try {
      t.info(Kinds.OBJECT, id, Types.number(o), 0);
    } finally {
      t.inside--;
    }
  }

  /** Said again, by the thread that comes second: what the first one has said may have been dropped. */
  static void tellAgain(int id, Object o, Task t) {
    describe(o, id, t);
    Block.of(id).forgetName(id);
  }

  /** Does another thread have to do with it, too? */
  static boolean isShared(int id) {
    return Block.of(id).state(id) != Block.ALONE;
  }

  /** Is there a record of a write? What nobody writes need not be recorded. */
  static boolean isWritten(int id) {
    return Block.of(id).isWritten(id);
  }

  static void write(int id) {
    Block.of(id).write(id);
  }

  /** Is it of this thread alone? */
  static boolean isOwn(int id, Task t) {
    Block block = Block.of(id);
    return block.owner == t.id && block.state(id) == Block.ALONE;
  }

  /** An array, or an object of a class that is not observed. */
  static final class Entry extends WeakReference<Object> {
    final int hash;
    final int id;
    final Block block;
    volatile int whole;
    Entry next;

    Entry(Object o, int hash, int id, ReferenceQueue<Object> queue, Entry next) {
      super(o, queue);
      this.hash = hash;
      this.id = id;
      this.block = Block.of(id);
      this.next = next;
    }
  }

  private static final class Table {
    private static final int SEGMENTS = 64;
    private static final Table[] all = new Table[SEGMENTS];

    static {
      for (int i = 0; i < SEGMENTS; i++) all[i] = new Table();
    }

    private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    private Entry[] entries = new Entry[256];
    private int size;

    static Entry find(Object o, Task t) {
      int hash = System.identityHashCode(o);
      return all[hash & (SEGMENTS - 1)].find(o, hash >>> 6, t);
    }

    private synchronized Entry find(Object o, int hash, Task t) {
      for (Entry e = entries[hash & (entries.length - 1)]; e != null; e = e.next) if (e.get() == o) return e;
      tidy();
      if (size > entries.length) grow();
      int id = fresh(t);
      int at = hash & (entries.length - 1);
      entries[at] = new Entry(o, hash, id, queue, entries[at]);
      size++;
      describe(o, id, t);
      return entries[at];
    }

    private void tidy() {
      for (Object gone = queue.poll(); gone != null; gone = queue.poll()) {
        Entry dead = (Entry) gone;
        int at = dead.hash & (entries.length - 1);
        Entry before = null;
        for (Entry e = entries[at]; e != null; e = e.next) {
          if (e == dead) {
            if (before == null) entries[at] = e.next;
            else before.next = e.next;
            size--;
            break;
          }
          before = e;
        }
      }
    }

    private void grow() {
      Entry[] old = entries;
      entries = new Entry[old.length * 2];
      for (Entry head : old) {
        for (Entry e = head; e != null; ) {
          Entry next = e.next;
          int at = e.hash & (entries.length - 1);
          e.next = entries[at];
          entries[at] = e;
          e = next;
        }
      }
    }
  }
}
