/*
 * Main waits for two workers with a CountDownLatch.
 * Right: it counts from two.
 */
import java.util.concurrent.CountDownLatch;

public class LatchCount {
  private static final CountDownLatch done = new CountDownLatch(2);
  private static final int[] results = new int[2];

  static void work(int i) {
    results[i] = i + 1;
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
    done.await();
    int sum = results[0] + results[1];
    if (sum != 3) throw new AssertionError("sum " + sum);
    System.out.println("sum " + sum);
  }
}
