/*
 * Main waits for two workers with a CountDownLatch.
 * Wrong: the latch counts from one. Main goes on when the first worker is done.
 */
// expects: order-violation, data-race, atomicity
import java.util.concurrent.CountDownLatch;

public class LatchCount {
  private static final CountDownLatch done = new CountDownLatch(1); // bug
  private static final int[] results = new int[2];

  static void work(int i) {
    results[i] = i + 1; // bug
    done.countDown();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++) {
      int me = i;
      new Thread(() -> work(me)).start();
    }
    pause(40);
    done.await(); // bug
    int sum = results[0] + results[1]; // bug
    if (sum != 3) throw new AssertionError("sum " + sum);
    System.out.println("sum " + sum);
  }
}
