package heddle.runtime;

/** Facts about the class of an object, looked up once for each class. */
final class Types {
  /** Of `java.util`. */
  private static final int UTIL = 1;
  /** Of `java.util.concurrent`. */
  private static final int CONCURRENT = 2;
  /** A collection of `java.util` that takes its own monitor. */
  private static final int SYNCHRONIZED = 4;
  private static final int QUEUE = 8;

  private static final ClassValue<int[]> known =
      new ClassValue<int[]>() {
        @Override
        protected int[] computeValue(Class<?> type) {
          return new int[] {Tables.type(type.getName()), flagsOf(type)};
        }
      };

  private Types() {}

  private static int flagsOf(Class<?> type) {
    String name = type.getName();
    boolean queue = java.util.concurrent.ConcurrentLinkedQueue.class.isAssignableFrom(type) || java.util.concurrent.ConcurrentLinkedDeque.class.isAssignableFrom(type);
    if (!name.startsWith("java.util.")) return queue ? QUEUE : 0;
    boolean concurrent = name.startsWith("java.util.concurrent.");
    boolean monitor = name.startsWith("java.util.Collections$Sync") || name.equals("java.util.Vector") || name.equals("java.util.Hashtable");
    queue |= java.util.concurrent.BlockingQueue.class.isAssignableFrom(type);
    return UTIL | (concurrent ? CONCURRENT : 0) | (monitor ? SYNCHRONIZED : 0) | (queue ? QUEUE : 0);
  }

  /** The number of its name. */
  static int number(Object o) {
    return known.get(o.getClass())[0];
  }

  private static boolean has(Object o, int flag) {
    return (known.get(o.getClass())[1] & flag) != 0;
  }

  static boolean isUtil(Object o) {
    return has(o, UTIL);
  }

  /** What is done with it is done at once, as others see it. */
  static boolean isAtomic(Object o) {
    return has(o, CONCURRENT | SYNCHRONIZED);
  }

  static boolean isSynchronized(Object o) {
    return has(o, SYNCHRONIZED);
  }

  /** A queue of the JDK that threads may share. */
  static boolean isQueue(Object o) {
    return has(o, QUEUE);
  }
}
