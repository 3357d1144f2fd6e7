/*
 * Three philosophers and three forks, which are ReentrantLocks.
 * Right: the last one takes the right fork first.
 */
import java.util.concurrent.locks.ReentrantLock;

public class LocksThree {
  private static final ReentrantLock[] forks = {new ReentrantLock(), new ReentrantLock(), new ReentrantLock()};
  private static int meals;

  static void eat(int i) {
    pause(i * 25);
    ReentrantLock left = forks[i == 2 ? 0 : i];
    ReentrantLock right = forks[i == 2 ? 2 : i + 1];
    left.lock();
    right.lock();
    synchronized (forks) {
      meals++;
    }
    right.unlock();
    left.unlock();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread[] threads = new Thread[3];
    for (int i = 0; i < 3; i++) {
      int me = i;
      threads[i] = new Thread(() -> eat(me));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(meals + " meals");
  }
}
