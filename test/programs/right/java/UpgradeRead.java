/*
 * Seats of a theatre behind a ReentrantReadWriteLock.
 * Right: the seat is looked at again under the write lock.
 */
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class UpgradeRead {
  private static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private static final String[] seats = new String[2];
  private static int sold;

  static int free() {
    lock.readLock().lock();
    try {
      for (int i = 0; i < seats.length; i++) if (seats[i] == null) return i;
      return -1;
    } finally {
      lock.readLock().unlock();
    }
  }

  static void buy(String name) {
    int seat = free();
    lock.writeLock().lock();
    try {
      if (seats[seat] != null) seat = 1 - seat;
      seats[seat] = name;
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
