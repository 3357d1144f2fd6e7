/*
 * A cache that is cleaned when its lock is free.
 * Right: only who has it gives it back.
 */
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
  private static final ReentrantLock lock = new ReentrantLock();
  private static int entries = 5;

  static void clean() {
    boolean mine = lock.tryLock();
    if (mine) entries = 0;
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
    Thread cleaner =
        new Thread(
            () -> {
              pause(40);
              clean();
            });
    cleaner.start();
    lock.lock();
    entries++;
    lock.unlock();
    cleaner.join();
    System.out.println("cleaned");
  }
}
