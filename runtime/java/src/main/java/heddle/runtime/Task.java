package heddle.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/** A thread that is observed: main, and all that observed threads start. */
public final class Task {
  static final int AWAY = 0;
  static final int READY = 1;
  static final int RUNS = 2;
  static final int BLOCKED = 3;
  static final int GONE = 4;

  final int id;
  final String name;
  final Task parent;
  Thread thread;
  int children;
  /** It has come to its first hook. */
  boolean begun;

  /** Steps so far, and up to which it may go without asking. */
  long steps;
  long until = Long.MAX_VALUE;
  long drift;
  int tries;
  /** More than 0: what runs is ours, or is run for us. */
  int inside;

  // Recording.
  long clock;
  Records out;
  int nextId;
  int lastOfBlock;
  /** The object of its own that it is at (Alone.java); 0: none. And what keeps the order of stores. */
  final AtomicInteger at = new AtomicInteger();
  final AtomicInteger then = new AtomicInteger();
  /** By field: the last one whose field was told. */
  final Object[] named = new Object[NAMED];
  static final int NAMED = 16;
  /** The stripe that is held between the two halves of an access; -1: none. And the access. */
  int stripe = -1;
  boolean open;
  int kind;
  int object;
  int field;
  int site;
  long before;
  /** It has filled its first pieces with what is its own: from now on that is counted, and not recorded. */
  boolean flooded;
  /** By place: what was read there last, and when. What a loop reads again, with nobody writing in between, is recorded once. */
  final int[] seenSite = new int[SEEN];
  final int[] seenObject = new int[SEEN];
  final int[] seenField = new int[SEEN];
  final long[] seenValue = new long[SEEN];
  final long[] seenClock = new long[SEEN];
  static final int SEEN = 256;
  /** The read at hand is likely to be one of these. */
  boolean again;
  int stripeOfRead;
  /** Objects whose numbers were looked up. */
  final Ids.Entry[] known = new Ids.Entry[KNOWN];
  static final int KNOWN = 2048;
  /** By place: the last monitor that was taken there, or given back. */
  final Ids.Entry[] heldAt = new Ids.Entry[HELD];
  static final int HELD = 64;
  /** Classes whose initialisation it has seen. */
  boolean[] initialised = new boolean[64];

  /** What it reads of clocks. */
  Clocks.Read clocks;

  // Replay.
  int state = AWAY;
  boolean turn;
  final Object door = new Object();
  Object waitsFor;
  int waitsKind;
  int waitsSite;
  Object waitsObject;
  /** By the clock of the gate; 0: none. */
  long deadline;
  /** 1: woken, 2: its time is up, 3: interrupted. */
  int woken;
  long seq;
  boolean permit;
  /** It stands in `wait` of this object, and needs this monitor to go on. */
  Object realWait;
  Monitors.Monitor needs;
  int needsCount;
  /** What the last call was about, for who asks what it waits for. */
  int callKind;
  int callSite;
  Object callObject;
  int passes;
  /** A call of the JDK goes through this collection; the place of the call, 0: none. */
  int bulkSite;
  Object bulkOf;

  Task(int id, String name, Task parent, Thread thread) {
    this.id = id;
    this.name = name;
    this.parent = parent;
    this.thread = thread;
  }

  // All of them.

  /** A thread that is started sees itself here: an older array is as good. */
  private static Task[] byThread = new Task[256];
  static volatile Task[] all = new Task[64];
  static volatile int count;
  /** Is there a second one? From then on accesses are recorded. Whoever starts it sets this, and who is started sees it: nobody else needs to look. */
  static boolean on;

  static Task current() {
    Thread thread = Thread.currentThread();
    Task[] known = byThread;
    long id = thread.getId();
    if (id >= 0 && id < known.length) {
      Task t = known[(int) id];
      if (t != null && t.thread == thread) return t;
    }
    return null;
  }

  static synchronized Task of(Thread thread) {
    Task[] known = byThread;
    long id = thread.getId();
    if (id >= 0 && id < known.length) {
      Task t = known[(int) id];
      if (t != null && t.thread == thread) return t;
    }
    return null;
  }

  static final int MOST = 30000;

  static synchronized Task add(Thread thread, Task parent) {
    long id = thread.getId();
    if (id < 0 || id > 50_000_000 || count >= MOST) return null;
    String name = parent == null ? "main" : (parent.parent == null ? "thread " : parent.name + ".") + ++parent.children;
    // The native limit of a name: deeper ones are counted.
    if (name.length() > 40) name = "thread deep " + count;
    Task t = new Task(count, name, parent, thread);
    if (id >= byThread.length) {
      Task[] longer = new Task[(int) Math.max(id + 1, byThread.length * 2L)];
      System.arraycopy(byThread, 0, longer, 0, byThread.length);
      byThread = longer;
    }
    if (count >= all.length) {
      Task[] longer = new Task[all.length * 2];
      System.arraycopy(all, 0, longer, 0, all.length);
      all = longer;
    }
    byThread[(int) id] = t;
    all[count] = t;
    count++;
    return t;
  }

  static synchronized void forget(Task t) {
    long id = t.thread.getId();
    if (id >= 0 && id < byThread.length && byThread[(int) id] == t) byThread[(int) id] = null;
  }

  // Records.

  /** A record that is a step. */
  void record(int kind, int object, int field, long value, int site, long stamp) {
    if (out != null) out.add(kind, object, field, value, site, steps, stamp);
  }

  /** One that is none. */
  void info(int kind, int object, int field, long value) {
    if (out != null) out.add(kind, object, field, value, 0, steps, clock);
  }
}
