package heddle.runtime;

/** Kinds of records. src/frontends/java/kinds.ts has the same numbers; a test compares the two. */
public final class Kinds {
  public static final int READ = 1;
  public static final int WRITE = 2;
  public static final int ATOMIC_READ = 3;
  public static final int ATOMIC_WRITE = 4;
  public static final int ATOMIC_UPDATE = 5;
  public static final int CREATE = 10;
  public static final int BEGIN = 11;
  public static final int END = 12;
  public static final int JOIN = 13;
  public static final int LOCK = 20;
  public static final int UNLOCK = 21;
  public static final int LOCK_SHARED = 22;
  public static final int UNLOCK_SHARED = 23;
  public static final int TRY_FAILED = 24;
  public static final int WAIT = 30;
  public static final int WOKEN = 31;
  public static final int TIMED_OUT = 32;
  public static final int SIGNAL = 33;
  public static final int BROADCAST = 34;
  public static final int BARRIER_ARRIVE = 40;
  public static final int BARRIER_LEAVE = 41;
  public static final int SEM_WAIT = 45;
  public static final int SEM_POST = 46;
  public static final int SEM_FAILED = 47;
  public static final int ONCE_BEGIN = 50;
  public static final int ONCE_END = 51;
  public static final int ONCE_SEEN = 52;
  public static final int YIELD = 55;
  /** A hand-over: of an item, a task, a result. The object is what is handed over. */
  public static final int GIVE = 60;
  public static final int GET = 61;
  public static final int LATCH_DOWN = 62;
  public static final int LATCH_AWAIT = 63;
  public static final int UNPARK = 64;
  public static final int PARK = 65;
  /** The object is the number of a thread: it is interrupted, or looks whether it was. */
  public static final int INTERRUPT = 66;
  public static final int INTERRUPTED = 67;
  /** Collections: what is in them, as one place. */
  public static final int LOOK = 70;
  public static final int CHANGE = 71;
  public static final int LOOK_ATOMIC = 72;
  public static final int CHANGE_ATOMIC = 73;
  /** Calls that properties speak of, before and after; functions as they are entered and left. */
  public static final int CALL = 80;
  public static final int RETURN = 81;
  public static final int ENTER = 82;
  public static final int EXIT = 83;

  /** From here on: no step of its own. */
  public static final int INFO = 128;
  /** What an update wrote. */
  public static final int UPDATED = 129;
  /** The class of an object. */
  public static final int OBJECT = 131;
  /** The permits a semaphore had when it was first seen; field 1: the count of a latch. */
  public static final int PERMITS = 132;
  /** One object stands for another: a condition for its lock, an iterator for its collection. */
  public static final int ALIAS = 133;

  /** The field that holds an object. */
  public static final int HELD = 134;

  /** Of a call: an argument, from 1; its result, 0. */
  public static final int ARGUMENT = 135;

  private Kinds() {}
}
