/*
 * A thread parks for its two parts of work, and main unparks it for each.
 * Wrong: two permits are as good as one. When both come before the first park, the second park never ends.
 */
// expects: deadlock, order-violation
import java.util.concurrent.locks.LockSupport;

public class ParkTwice {

  static void work() {
    LockSupport.park(); // bug
    LockSupport.park(); // bug
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
      LockSupport.unpark(worker); // bug
    }
    worker.join();
  }
}
