/*
 * Visits by hour in a volatile array.
 * Right: an AtomicIntegerArray.
 */
import java.util.concurrent.atomic.AtomicIntegerArray;

public class VolatileArray {
  private static final AtomicIntegerArray hours = new AtomicIntegerArray(24);

  static void visit(int hour) {
    hours.incrementAndGet(hour);
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
              visit(9);
            });
    other.start();
    visit(9);
    other.join();
    int seen = hours.get(9);
    if (seen != 2) throw new AssertionError("visits " + seen);
    System.out.println("2 visits");
  }
}
