/*
 * A printer waits for paper with a Condition.
 * Right: it waits while there is none.
 */
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionLost {
  private static final ReentrantLock lock = new ReentrantLock();
  private static final Condition filled = lock.newCondition();
  private static int sheets;

  static void print() {
    lock.lock();
    try {
      while (sheets == 0) filled.awaitUninterruptibly();
      sheets--;
    } finally {
      lock.unlock();
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
    Thread printer = new Thread(ConditionLost::print);
    printer.start();
    pause(60);
    lock.lock();
    try {
      sheets = 5;
      filled.signal();
    } finally {
      lock.unlock();
    }
    printer.join();
    System.out.println(sheets + " sheets");
  }
}
