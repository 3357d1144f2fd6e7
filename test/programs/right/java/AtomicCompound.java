/*
 * An AtomicInteger holds the highest value that was measured.
 * Right: a loop with `compareAndSet`.
 */
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCompound {
  private static final AtomicInteger highest = new AtomicInteger();

  static void measured(int value) {
    for (int seen = highest.get(); value > seen; seen = highest.get()) if (highest.compareAndSet(seen, value)) return;
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
