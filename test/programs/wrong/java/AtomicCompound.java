/*
 * An AtomicInteger counts the tickets that were sold; there is one.
 * Wrong: `get` and `incrementAndGet` are two steps. Two buyers may both see that one is left.
 */
// expects: atomicity, order-violation, data-race
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCompound {
  private static final AtomicInteger sold = new AtomicInteger();

  static void buy() {
    if (sold.get() < 1) sold.incrementAndGet(); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(30);
              buy();
            });
    other.start();
    buy();
    other.join();
    if (sold.get() != 1) throw new AssertionError("sold " + sold);
    System.out.println("sold 1");
  }
}
