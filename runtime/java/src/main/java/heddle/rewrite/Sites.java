package heddle.rewrite;

import heddle.runtime.Calls;
import java.util.HashMap;
import java.util.Map;

/** Which calls of the JDK synchronise threads, and how. By the name of the method; the receiver is of the type, or of one below it. */
final class Sites {
  static final class Row {
    final String type;
    final int code;
    /** The begin of its descriptor; null: any. */
    final String desc;

    Row(String type, int code, String desc) {
      this.type = type;
      this.code = code;
      this.desc = desc;
    }
  }

  private static final Map<String, Row[]> rows = new HashMap<>();

  private Sites() {}

  private static void add(String type, int code, String... names) {
    for (String one : names) {
      int paren = one.indexOf('(');
      String name = paren < 0 ? one : one.substring(0, paren);
      Row row = new Row(type, code, paren < 0 ? null : one.substring(paren));
      Row[] old = rows.get(name);
      Row[] longer = new Row[old == null ? 1 : old.length + 1];
      if (old != null) System.arraycopy(old, 0, longer, 0, old.length);
      longer[longer.length - 1] = row;
      rows.put(name, longer);
    }
  }

  static {
    String locks = "java/util/concurrent/locks/";
    add(locks + "Lock", Calls.LOCK, "lock()", "lockInterruptibly()");
    add(locks + "Lock", Calls.TRY_LOCK, "tryLock");
    add(locks + "Lock", Calls.UNLOCK, "unlock()");
    add(locks + "Lock", Calls.NEW_CONDITION, "newCondition()");
    add(locks + "ReadWriteLock", Calls.PART_OF_LOCK, "readLock()", "writeLock()");
    add(locks + "Condition", Calls.AWAIT, "await", "awaitNanos", "awaitUninterruptibly", "awaitUntil");
    add(locks + "Condition", Calls.SIGNAL, "signal()");
    add(locks + "Condition", Calls.SIGNAL_ALL, "signalAll()");
    add(locks + "LockSupport", Calls.PARK, "park", "parkNanos", "parkUntil");
    add(locks + "LockSupport", Calls.UNPARK, "unpark");
    String c = "java/util/concurrent/";
    add(c + "Semaphore", Calls.ACQUIRE, "acquire", "acquireUninterruptibly");
    add(c + "Semaphore", Calls.TRY_ACQUIRE, "tryAcquire");
    add(c + "Semaphore", Calls.RELEASE, "release");
    add(c + "CountDownLatch", Calls.COUNT_DOWN, "countDown");
    add(c + "CountDownLatch", Calls.AWAIT_LATCH, "await");
    add(c + "CyclicBarrier", Calls.AWAIT_BARRIER, "await");
    add(locks + "StampedLock", Calls.STAMPED_WRITE, "writeLock", "writeLockInterruptibly", "tryWriteLock");
    add(locks + "StampedLock", Calls.STAMPED_READ, "readLock", "readLockInterruptibly", "tryReadLock");
    add(locks + "StampedLock", Calls.STAMPED_UNLOCK, "unlockWrite", "unlockRead", "unlock", "tryUnlockWrite", "tryUnlockRead");
    add(locks + "StampedLock", Calls.UNMODELLED, "tryConvertToWriteLock", "tryConvertToReadLock", "tryConvertToOptimisticRead", "asReadLock", "asWriteLock", "asReadWriteLock");
    add(c + "Phaser", Calls.PHASER_ARRIVE, "arrive", "arriveAndDeregister");
    add(c + "Phaser", Calls.PHASER_MEET, "arriveAndAwaitAdvance");
    add(c + "Phaser", Calls.PHASER_AWAIT, "awaitAdvance", "awaitAdvanceInterruptibly");
    add(c + "Exchanger", Calls.EXCHANGE, "exchange");
    String[] chains = {"thenApply", "thenAccept", "thenRun", "thenCombine", "thenAcceptBoth", "runAfterBoth", "applyToEither", "acceptEither", "runAfterEither", "thenCompose", "handle", "whenComplete"};
    for (String one : chains) add(c + "CompletionStage", Calls.CHAIN, one, one + "Async");
    add(c + "CompletionStage", Calls.CHAIN, "exceptionally", "exceptionallyCompose");
    add(c + "SubmissionPublisher", Calls.UNMODELLED, "submit", "offer", "subscribe", "close", "consume");
    add(c + "StructuredTaskScope", Calls.UNMODELLED, "fork", "join");
    add(c + "ExecutorService", Calls.CHANGE, "shutdown()", "shutdownNow()");
    add(c + "Executor", Calls.LOOK, "execute", "submit", "invokeAll", "invokeAny", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "isShutdown");
    add("java/lang/Thread", Calls.INTERRUPTED, "isInterrupted()", "interrupted()");
    String a = c + "atomic/";
    for (String one : new String[] {"AtomicInteger", "AtomicLong", "AtomicBoolean", "AtomicReference", "AtomicIntegerArray", "AtomicLongArray", "AtomicReferenceArray"}) {
      add(a + one, Calls.GET_ATOMIC, "get", "getPlain", "getOpaque", "getAcquire", "intValue", "longValue");
      add(a + one, Calls.SET_ATOMIC, "set", "lazySet", "setPlain", "setOpaque", "setRelease");
      add(a + one, Calls.UPDATE_ATOMIC, "compareAndSet", "weakCompareAndSet", "weakCompareAndSetPlain", "weakCompareAndSetVolatile", "compareAndExchange", "getAndSet");
      add(a + one, Calls.UPDATE_ATOMIC, "incrementAndGet", "decrementAndGet", "addAndGet", "getAndIncrement", "getAndDecrement", "getAndAdd");
      add(a + one, Calls.UPDATE_BY, "updateAndGet", "getAndUpdate", "accumulateAndGet", "getAndAccumulate");
    }
    add(a + "LongAdder", Calls.UPDATE_ATOMIC, "add", "increment", "decrement", "reset");
    add(a + "LongAdder", Calls.GET_ATOMIC, "sum", "intValue", "longValue");
    String u = "java/util/";
    add(u + "Queue", Calls.PUT, "add(Ljava/lang/Object;)", "offer(Ljava/lang/Object;)");
    add(u + "Queue", Calls.TAKE, "poll()", "remove()");
    add(c + "BlockingQueue", Calls.PUT, "put(Ljava/lang/Object;)", "offer(Ljava/lang/Object;J");
    add(c + "BlockingQueue", Calls.TAKE, "take()", "poll(J");
    add(u + "Deque", Calls.PUT, "addFirst", "addLast", "offerFirst(Ljava/lang/Object;)", "offerLast(Ljava/lang/Object;)", "push");
    add(u + "Deque", Calls.TAKE, "pollFirst()", "pollLast()", "removeFirst()", "removeLast()", "pop()");
    String[] looks = {"size", "isEmpty", "contains", "toArray", "forEach", "stream", "parallelStream", "get", "indexOf", "lastIndexOf", "peek", "element"};
    add(u + "Collection", Calls.LOOK, looks);
    add(u + "Collection", Calls.LOOK, "getFirst", "getLast", "peekFirst", "peekLast", "first", "last", "floor", "ceiling", "higher", "lower");
    add(u + "Collection", Calls.VIEW, "iterator", "listIterator", "subList", "spliterator", "descendingIterator", "descendingSet", "headSet", "tailSet", "subSet");
    add(u + "Collection", Calls.CHANGE, "add", "remove", "removeAll", "retainAll", "removeIf", "clear", "set", "sort", "replaceAll", "addElement", "pollFirst", "pollLast");
    add(u + "Map", Calls.LOOK, "size", "isEmpty", "get", "getOrDefault", "containsKey", "containsValue", "contains", "forEach", "firstKey", "lastKey", "firstEntry", "lastEntry");
    add(u + "Map", Calls.LOOK, "floorKey", "ceilingKey", "higherKey", "lowerKey", "floorEntry", "ceilingEntry");
    add(u + "Map", Calls.VIEW, "keySet", "values", "entrySet", "navigableKeySet", "headMap", "tailMap", "subMap", "descendingMap", "elements", "keys");
    add(u + "Collection", Calls.CHANGE_BY, "addAll");
    add(u + "Map", Calls.CHANGE_BY, "putAll");
    add(u + "Collection", Calls.LOOK_BY, "containsAll");
    for (String type : new String[] {"Collection", "Map"}) add(u + type, Calls.LOOK_ALL, "toString()", "hashCode()", "equals");
    add(u + "Map", Calls.CHANGE, "put", "putIfAbsent", "remove", "replace", "replaceAll", "clear", "compute", "computeIfAbsent", "computeIfPresent", "merge");
    add(u + "Map", Calls.CHANGE, "pollFirstEntry", "pollLastEntry");
    add(u + "Iterator", Calls.LOOK, "hasNext", "next", "hasPrevious", "previous", "nextIndex");
    add(u + "Iterator", Calls.CHANGE, "remove()", "set", "add");
  }

  /** Does the call go through the collection that is its last operand? Its static type may say nothing of that. */
  static boolean goesThrough(String owner, String name, String desc) {
    switch (owner) {
      case "java/lang/Object":
        return desc.equals("()Ljava/lang/String;") && name.equals("toString");
      case "java/lang/String":
        return name.equals("valueOf") && desc.startsWith("(Ljava/lang/Object;") || name.equals("join") && desc.startsWith("(Ljava/lang/CharSequence;Ljava/lang/Iterable;");
      case "java/lang/StringBuilder":
        return name.equals("append") && desc.startsWith("(Ljava/lang/Object;");
      case "java/io/PrintStream":
        return (name.equals("println") || name.equals("print")) && desc.equals("(Ljava/lang/Object;)V");
      case "java/util/Objects":
        return name.equals("toString") && desc.startsWith("(Ljava/lang/Object;)");
      default:
        return name.equals("copyOf") && (owner.equals("java/util/List") || owner.equals("java/util/Set") || owner.equals("java/util/Map"));
    }
  }

  /** Lists ask the other collection for an array, in one step. */
  static boolean iterates(String owner) {
    return owner.endsWith("Set") || owner.endsWith("Map");
  }

  /** A collection of the JDK that is made of another one. */
  static boolean isCopy(String owner, String desc) {
    return owner.startsWith("java/util/") && desc.startsWith("(Ljava/util/") && desc.indexOf(';') == desc.length() - 3 && COPIED.matcher(desc).matches();
  }

  private static final java.util.regex.Pattern COPIED = java.util.regex.Pattern.compile("\\(Ljava/util/(Collection|Map|SortedMap|SortedSet);\\)V");

  /** The code of a call; -1: none of these. */
  static int codeOf(String owner, String name, String desc, ClassLoader loader) {
    Row[] list = rows.get(name);
    if (list != null && !owner.startsWith("[")) {
      for (Row row : list) {
        if (row.desc != null && !desc.startsWith(row.desc)) continue;
        if (ClassInfo.isA(owner, row.type, loader)) return row.code;
      }
    }
    if (owner.startsWith("java/util/concurrent/") || name.equals("start") && desc.equals("()V") && ClassInfo.isA(owner, "java/lang/Thread", loader)) return Calls.MARK;
    return -1;
  }
}
