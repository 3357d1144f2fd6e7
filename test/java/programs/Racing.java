import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that race for fields, static fields and elements of arrays, volatile or not, and hand over objects that they go on writing: THREADS ROUNDS. Every value that is written is written
 * once, so that what a read has seen says which write that was. Nothing is locked, and nothing can fail.
 */
public class Racing {
  static int plain;
  static volatile int clear;
  static long wide;
  static final int[] few = new int[3];
  static final long[] many = new long[400];
  static final Object[] things = new Object[5];
  /** Boxes that were handed over, with their threads still at work on them. */
  static final Box[] slots = new Box[8];
  static final AtomicInteger count = new AtomicInteger();
  static final AtomicLongArray counts = new AtomicLongArray(6);
  static final AtomicReference<Box> last = new AtomicReference<>();
  static final AtomicIntegerFieldUpdater<Box> updater = AtomicIntegerFieldUpdater.newUpdater(Box.class, "updated");

  static class Box {
    int a;
    long b;
    double c;
    Object d;
    volatile int e;
    volatile int updated;
    final int[] own = new int[4];
  }

  final int own;
  final Box shared;
  int written;
  int random;
  long seen;

  Racing(int own, Box shared) {
    this.own = own;
    this.shared = shared;
    random = own * 7919 + 1;
  }

  /** Written once in the whole run. */
  int fresh() {
    return own << 25 | ++written;
  }

  int below(int bound) {
    random = random * 1103515245 + 12345;
    return (random >>> 8) % bound;
  }

  void use(Box box) {
    switch (below(8)) {
      case 0:
        box.a = fresh();
        break;
      case 1:
        box.b = fresh();
        break;
      case 2:
        box.c = fresh();
        break;
      case 3:
        box.d = new Box();
        break;
      case 4:
        box.e = fresh();
        break;
      case 5:
        updater.compareAndSet(box, updater.get(box), fresh());
        break;
      case 6:
        box.own[below(4)] = fresh();
        break;
      default:
    }
    seen += box.a + box.b + (long) box.c + box.e + box.updated + box.own[below(4)] + (box.d == null ? 0 : 1);
  }

  void statics() {
    switch (below(8)) {
      case 0:
        plain = fresh();
        break;
      case 1:
        clear = fresh();
        break;
      case 2:
        wide = fresh();
        break;
      case 3:
        few[below(3)] = fresh();
        break;
      case 4:
        many[below(400)] = fresh();
        break;
      case 5:
        things[below(5)] = new Box();
        break;
      case 6:
        counts.set(below(6), fresh());
        break;
      default:
        count.set(fresh());
    }
    seen += plain + clear + wide + few[below(3)] + many[below(400)] + count.get() + counts.get(below(6)) + (things[below(5)] == null ? 0 : 1);
  }

  /** A flag that is looked at again and again. */
  void look() {
    for (int i = 0; i < 20; i++) seen += plain + shared.a + few[1];
    if (below(4) == 0) shared.a = fresh();
    if (below(4) == 1) few[1] = fresh();
  }

  void handOver() {
    Box box = new Box();
    box.a = fresh();
    box.own[1] = fresh();
    slots[below(8)] = box;
    for (int i = 0; i < 6; i++) use(box);
    Box other = slots[below(8)];
    if (other != null) for (int i = 0; i < 6; i++) use(other);
    if (below(2) == 0) last.set(box);
    Box newest = last.get();
    if (newest != null) use(newest);
  }

  void run(int rounds) {
    for (int i = 0; i < rounds; i++) {
      use(shared);
      statics();
      if (i % 4 == 0) look();
      if (i % 4 == 2) handOver();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    int rounds = Integer.parseInt(args[1]);
    Thread[] threads = new Thread[Integer.parseInt(args[0])];
    Box shared = new Box();
    for (int t = 0; t < threads.length; t++) {
      Racing one = new Racing(t + 1, shared);
      threads[t] = new Thread(() -> one.run(rounds));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
