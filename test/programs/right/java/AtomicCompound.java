/*
 * An AtomicInteger counts the tickets that were sold; there is one.
 * Right: a loop with `compareAndSet`.
 */
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCompound {
  private static final AtomicInteger sold = new AtomicInteger();

  static void buy() {
    for (int seen = sold.get(); seen < 1; seen = sold.get()) if (sold.compareAndSet(seen, seen + 1)) return;
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
