/*
 * Money in two purses; the sum never changes.
 * Right: transfers and counting are sections of one lock.
 */
import java.util.concurrent.atomic.AtomicInteger;

public class TwoAtomics {
  private static final AtomicInteger left = new AtomicInteger(50);
  private static final AtomicInteger right = new AtomicInteger(50);

  static synchronized void move(int n) {
    left.addAndGet(-n);
    right.addAndGet(n);
  }

  static synchronized int sum() {
    return left.get() + right.get();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> move(20));
    other.start();
    pause(30);
    int sum = sum();
    other.join();
    if (sum != 100) throw new AssertionError("sum " + sum);
    System.out.println("sum 100");
  }
}
