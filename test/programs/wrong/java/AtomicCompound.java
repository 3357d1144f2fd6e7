/*
 * An AtomicInteger holds the highest value that was measured.
 * Wrong: `get` and `set` are two steps. A higher value in between is overwritten.
 */
// expects: atomicity, order-violation, data-race
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCompound {
  private static final AtomicInteger highest = new AtomicInteger();

  static void measured(int value) {
    if (value > highest.get()) highest.set(value); // bug
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
              measured(9);
            });
    other.start();
    measured(5);
    other.join();
    if (highest.get() != 9) throw new AssertionError("highest " + highest);
    System.out.println("highest 9");
  }
}
