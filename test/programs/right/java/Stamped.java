/*
 * A StampedLock: an optimistic look that is done again under the lock where somebody wrote meanwhile.
 */
import java.util.concurrent.locks.StampedLock;

public class Stamped {
  private static final StampedLock lock = new StampedLock();
  private static volatile int x;
  private static volatile int y;

  static boolean same() {
    long stamp = lock.tryOptimisticRead();
    boolean same = x == y;
    if (lock.validate(stamp)) return same;
    stamp = lock.readLock();
    try {
      return x == y;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  static void move(int n) {
    long stamp = lock.writeLock();
    try {
      x = n;
      y = n;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> move(4));
    other.start();
    boolean fits = same();
    other.join();
    if (!fits) throw new AssertionError("off the diagonal");
    System.out.println("on the diagonal");
  }
}
