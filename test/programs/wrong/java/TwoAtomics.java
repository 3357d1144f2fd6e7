/*
 * Money in two purses; the sum never changes.
 * Wrong: each purse is atomic, a transfer is not. Who counts in between misses money.
 */
// expects: atomicity, order-violation, data-race
import java.util.concurrent.atomic.AtomicInteger;

public class TwoAtomics {
  private static final AtomicInteger left = new AtomicInteger(50);
  private static final AtomicInteger right = new AtomicInteger(50);

  static void move(int n) {
    left.addAndGet(-n); // bug
    right.addAndGet(n); // bug
  }

  static int sum() {
    return left.get() + right.get(); // bug
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
