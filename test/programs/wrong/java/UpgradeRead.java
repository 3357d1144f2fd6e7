/*
 * Seats of a theatre behind a ReentrantReadWriteLock.
 * Wrong: the free seat is found under the read lock and taken under the write lock; in between another one may take it.
 */
// expects: atomicity, order-violation
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class UpgradeRead {
  private static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private static final String[] seats = new String[2];
  private static int sold;

  static int free() {
    lock.readLock().lock();
    try {
      for (int i = 0; i < seats.length; i++) if (seats[i] == null) return i; // bug
      return -1;
    } finally {
      lock.readLock().unlock();
    }
  }

  static void buy(String name) {
    int seat = free();
    lock.writeLock().lock();
    try {
      seats[seat] = name; // bug
      sold++;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(40);
              buy("b");
            });
    other.start();
    buy("a");
    other.join();
    if (seats[0] == null || seats[1] == null) throw new AssertionError(seats[0] + " and " + seats[1]);
    System.out.println(sold + " seats");
  }
}
