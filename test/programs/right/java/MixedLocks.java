/*
 * A cache with a lock of java.util.concurrent, whose entries are monitors.
 * Right: both lock the cache first.
 */
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class MixedLocks {
  private final Lock cache = new ReentrantLock();
  private final Object entry = new Object();
  private int uses;

  void refresh() {
    cache.lock();
    try {
      synchronized (entry) {
        uses++;
      }
    } finally {
      cache.unlock();
    }
  }

  void touch() {
    cache.lock();
    try {
      synchronized (entry) {
        uses++;
      }
    } finally {
      cache.unlock();
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
    MixedLocks all = new MixedLocks();
    Thread other =
        new Thread(
            () -> {
              pause(30);
              all.touch();
            });
    other.start();
    all.refresh();
    other.join();
    System.out.println(all.uses + " uses");
  }
}
