/*
 * A lock made of an AtomicBoolean, and a counter inside it.
 */
import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLock {
  private static final AtomicBoolean taken = new AtomicBoolean();
  private static int count;

  static void count() {
    for (int i = 0; i < 3; i++) {
      while (!taken.compareAndSet(false, true)) Thread.onSpinWait();
      count++;
      taken.set(false);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(SpinLock::count);
    other.start();
    count();
    other.join();
    if (count != 6) throw new AssertionError("count " + count);
    System.out.println("count 6");
  }
}
