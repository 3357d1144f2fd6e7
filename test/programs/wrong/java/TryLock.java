/*
 * A cache that is cleaned when its lock is free.
 * Wrong: the lock is given back also when `tryLock` failed.
 */
// expects: order-violation, atomicity, data-race
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
  private static final ReentrantLock lock = new ReentrantLock();
  private static volatile boolean full;
  private static int entries = 5;

  static void clean() {
    boolean all = full; // bug
    boolean mine = lock.tryLock(); // bug
    if (mine) entries = all ? 0 : entries / 2; // bug
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
    Thread cleaner = new Thread(TryLock::clean);
    cleaner.start();
    pause(40);
    lock.lock();
    full = true; // bug
    entries++; // bug
    lock.unlock();
    cleaner.join();
    System.out.println("cleaned");
  }
}
