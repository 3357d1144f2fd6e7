package heddle.runtime;

/**
 * Numbers of objects come in blocks, each of one thread. Every number has marks: has another thread touched the object, too? Was it written? Is its field told? A mark is set once, by
 * anybody, in a byte of its own: nobody's is lost.
 */
final class Block {
  static final int BITS = 12;
  static final int SIZE = 1 << BITS;
  private static final int MOST = 1 << 19;
  private static final Block[] all = new Block[MOST];
  private static int count = 1;

  /** Of the first mark: the object is of its thread alone; another one is about to touch it; it is shared. */
  static final byte ALONE = 0;
  static final byte COMING = 1;
  static final byte SHARED = 2;

  private static final int WRITTEN = SIZE;
  private static final int NAMED = 2 * SIZE;

  // 0 is null, or what has no object; 1 is what has no number any more. They are nobody's.
  static {
    all[0] = new Block(-1);
    all[0].setState(1, SHARED);
  }

  final int owner;
  /** What its thread did with objects of this block before they were shared was done by then. */
  private volatile long clock;
  private final byte[] marks = new byte[3 * SIZE];

  private Block(int owner) {
    this.owner = owner;
  }

  /** The first number of a new block, or -1: there are no more. */
  static int add(Task t) {
    synchronized (all) {
      if (count == MOST) return -1;
      all[count] = new Block(t.id);
      return count++ << BITS;
    }
  }

  static Block of(int id) {
    Block block = all[id >>> BITS];
    return block != null ? block : late(id);
  }

  /** Another thread has just made it. */
  private static Block late(int id) {
    synchronized (all) {
      return all[id >>> BITS];
    }
  }

  byte state(int id) {
    return marks[id & (SIZE - 1)];
  }

  void setState(int id, byte state) {
    marks[id & (SIZE - 1)] = state;
  }

  boolean isWritten(int id) {
    return marks[WRITTEN + (id & (SIZE - 1))] != 0;
  }

  void write(int id) {
    int at = WRITTEN + (id & (SIZE - 1));
    if (marks[at] == 0) marks[at] = 1;
  }

  /** Is its field told now? Once is enough. */
  boolean name(int id) {
    int at = NAMED + (id & (SIZE - 1));
    if (marks[at] != 0) return false;
    marks[at] = 1;
    return true;
  }

  void forgetName(int id) {
    marks[NAMED + (id & (SIZE - 1))] = 0;
  }

  long clock() {
    return clock;
  }

  synchronized void after(long moment) {
    if (moment > clock) clock = moment;
  }
}
