/*
 * A semaphore keeps the users of a device apart.
 * Wrong: it has two permits, and the device takes one user at a time.
 */
// expects: data-race, atomicity, order-violation at SemaphoreCount.pages
import java.util.concurrent.Semaphore;

public class SemaphoreCount {
  private static final Semaphore device = new Semaphore(2); // bug
  private static int pages;

  static void print(int delay) {
    pause(delay);
    device.acquireUninterruptibly();
    pages += 2; // bug
    device.release();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> print(0));
    Thread b = new Thread(() -> print(30));
    a.start();
    b.start();
    a.join();
    b.join();
    if (pages != 4) throw new AssertionError("pages " + pages);
    System.out.println("4 pages");
  }
}
