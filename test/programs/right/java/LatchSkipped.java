/*
 * Two helpers open what main needs; main waits for both with a latch.
 * Right: every helper counts down.
 */
import java.util.concurrent.CountDownLatch;

public class LatchSkipped {
  private static final CountDownLatch ready = new CountDownLatch(2);
  private static volatile boolean open;
  private static volatile boolean needed = true;

  static void open() {
    if (!needed) {
      ready.countDown();
      return;
    }
    open = true;
    ready.countDown();
  }

  static void prepare() {
    ready.countDown();
    needed = false;
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
    ready.await();
    System.out.println("ready");
  }
}
