/*
 * A cache that is cleaned when its lock is free.
 * Wrong: the lock is given back also when `tryLock` failed.
 */
// expects: order-violation, atomicity, data-race, deadlock
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
  private static final ReentrantLock lock = new ReentrantLock();
  private static int entries = 5;

  static void clean() {
    boolean mine = lock.tryLock(); // bug
    if (mine) entries = 0;
    lock.unlock(); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread cleaner =
        new Thread(
            () -> {
              pause(40);
              clean();
            });
    cleaner.start();
    lock.lock(); // bug
    entries++;
    lock.unlock(); // bug
    cleaner.join();
    System.out.println("cleaned");
  }
}
