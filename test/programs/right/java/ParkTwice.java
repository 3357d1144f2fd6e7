/*
 * A thread parks for its two parts of work, and main unparks it for each.
 * Right: it parks while the part is not there.
 */
import java.util.concurrent.locks.LockSupport;

public class ParkTwice {
  private static volatile int parts;

  static void work() {
    while (parts < 1) LockSupport.park();
    while (parts < 2) LockSupport.park();
    System.out.println("both parts");
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread worker = new Thread(ParkTwice::work);
    worker.start();
    for (int part = 1; part <= 2; part++) {
      pause(60);
      parts = part;
      LockSupport.unpark(worker);
    }
    worker.join();
  }
}
