/*
 * Two helpers open what main needs; main waits for both with a latch.
 * Wrong: a helper that finds the connection open returns without counting down. Then main waits for ever.
 */
// expects: order-violation, deadlock, data-race, atomicity
import java.util.concurrent.CountDownLatch;

public class LatchSkipped {
  private static final CountDownLatch ready = new CountDownLatch(2);
  private static volatile boolean open;
  private static volatile boolean needed = true;

  static void open() {
    if (!needed) return; // bug
    open = true;
    ready.countDown();
  }

  static void prepare() {
    ready.countDown();
    needed = false; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(LatchSkipped::open).start();
    pause(40);
    new Thread(LatchSkipped::prepare).start();
    ready.await(); // bug
    System.out.println("ready");
  }
}
