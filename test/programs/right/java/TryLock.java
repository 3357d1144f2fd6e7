/*
 * A cache that is cleaned when its lock is free.
 * Right: only who has it gives it back.
 */
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
  private static final ReentrantLock lock = new ReentrantLock();
  private static volatile boolean full;
  private static int entries = 5;

  static void clean() {
    boolean all = full;
    boolean mine = lock.tryLock();
    if (mine) entries = all ? 0 : entries / 2;
    if (mine) lock.unlock();
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
    full = true;
    entries++;
    lock.unlock();
    cleaner.join();
    System.out.println("cleaned");
  }
}
