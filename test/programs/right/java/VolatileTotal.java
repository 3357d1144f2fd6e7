/*
 * Two tills add what they took in to one total.
 * Right: the sum is an atomic one.
 */
import java.util.concurrent.atomic.AtomicLong;

public class VolatileTotal {
  private static final AtomicLong total = new AtomicLong();

  static void till(int delay) {
    pause(delay);
    for (int i = 1; i <= 4; i++) total.addAndGet(i * 1_000_000_000L);
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> till(0));
    Thread b = new Thread(() -> till(30));
    a.start();
    b.start();
    a.join();
    b.join();
    long sum = total.get();
    if (sum != 20_000_000_000L) throw new AssertionError("total " + sum);
    System.out.println("total " + sum);
  }
}
