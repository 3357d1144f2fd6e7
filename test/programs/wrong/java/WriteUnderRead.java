/*
 * A page with a counter of its readers, behind a ReentrantReadWriteLock.
 * Wrong: the counter is changed under the read lock, which many may hold at a time.
 */
// expects: data-race, atomicity, order-violation at readers
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class WriteUnderRead {
  private static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private static int readers;

  static void read(int delay) {
    pause(delay);
    lock.readLock().lock();
    try {
      readers++; // bug
    } finally {
      lock.readLock().unlock();
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
    Thread a = new Thread(() -> read(0));
    Thread b = new Thread(() -> read(30));
    a.start();
    b.start();
    a.join();
    b.join();
    if (readers != 2) throw new AssertionError("readers " + readers);
    System.out.println("2 readers");
  }
}
