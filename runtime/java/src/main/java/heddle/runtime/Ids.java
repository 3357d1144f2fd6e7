package heddle.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Numbers of objects. Objects of observed classes have a field for theirs; arrays and objects of the JDK are looked up in a table that does not keep them. Numbers
 * come in blocks, each of one thread, and every number has a byte: has another thread touched the object, too?
 */
final class Ids {
  private static final int BLOCK_BITS = 12;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int MOST_BLOCKS = 1 << 19;

  private static final int SHARED = 1;
  private static final int NAMED = 2;
  private static final byte[][] shared = new byte[MOST_BLOCKS][];
  private static final short[] owners = new short[MOST_BLOCKS];
  private static int blocks;

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
    if (o == t.lastObject) return t.lastId;
    int at = System.identityHashCode(o) & (Task.KNOWN - 1);
    int id;
    if (t.known[at] == o) id = t.knownId[at];
    else {
      id = Table.find(o, t).id;
      if (isSmall(o)) {
        t.known[at] = o;
        t.knownId[at] = id;
      }
    }
    t.lastObject = o;
    t.lastId = id;
    return id;
  }

  /** What is kept in memory by us for a while is no burden. */
  private static boolean isSmall(Object o) {
    if (o instanceof double[]) return ((double[]) o).length <= 512;
    if (o instanceof int[]) return ((int[]) o).length <= 1024;
    if (o instanceof long[]) return ((long[]) o).length <= 512;
    if (o instanceof byte[]) return ((byte[]) o).length <= 4096;
    if (o instanceof char[]) return ((char[]) o).length <= 2048;
    if (o instanceof Object[]) return ((Object[]) o).length <= 512;
    return false;
  }

  /** From now on threads that meet at the object meet at the one with this number: an iterator is a part of its collection, a read lock of its pair. */
  static void partOf(Object o, int id, Task t) {
    if (!(o instanceof Tagged)) Table.find(o, t).whole = id;
  }

  /** The number of what threads meet at: the object, or what it is a part of. */
  static int met(Object o, Task t) {
    if (o instanceof Tagged) return of(o, t);
    Table.Entry entry = Table.find(o, t);
    return entry.whole != 0 ? entry.whole : entry.id;
  }

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
      int block;
      synchronized (shared) {
        if (blocks == MOST_BLOCKS - 1) return 1; // all others are one
        block = blocks++;
      }
      shared[block] = new byte[BLOCK];
      owners[block] = (short) t.id;
      t.nextId = block << BLOCK_BITS;
      t.lastOfBlock = t.nextId + BLOCK;
      if (t.nextId == 0) t.nextId = 2; // 0 is null, 1 is what has no number any more
    }
    return t.nextId++;
  }

  private static void describe(Object o, int id, Task t) {
    t.info(Kinds.OBJECT, id, Tables.type(o.getClass().getName()), 0);
  }

  static int owner(int id) {
    return owners[id >>> BLOCK_BITS];
  }

  static boolean isShared(int id) {
    byte[] block = shared[id >>> BLOCK_BITS];
    return block == null || (block[id & (BLOCK - 1)] & SHARED) != 0;
  }

  static void share(int id) {
    byte[] block = shared[id >>> BLOCK_BITS];
    if (block != null) block[id & (BLOCK - 1)] |= SHARED;
  }

  /** Is its field told now? Once is enough. */
  static boolean name(int id) {
    byte[] block = shared[id >>> BLOCK_BITS];
    if (block == null || (block[id & (BLOCK - 1)] & NAMED) != 0) return false;
    block[id & (BLOCK - 1)] |= NAMED;
    return true;
  }

  /** Arrays, and objects of classes that are not observed. */
  private static final class Table {
    private static final int SEGMENTS = 64;
    private static final Table[] all = new Table[SEGMENTS];

    static {
      for (int i = 0; i < SEGMENTS; i++) all[i] = new Table();
    }

    static final class Entry extends WeakReference<Object> {
      final int hash;
      final int id;
      volatile int whole;
      Entry next;

      Entry(Object o, int hash, int id, ReferenceQueue<Object> queue, Entry next) {
        super(o, queue);
        this.hash = hash;
        this.id = id;
        this.next = next;
      }
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
