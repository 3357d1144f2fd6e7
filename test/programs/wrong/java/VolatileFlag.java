/*
 * A thread measures something and says with a volatile flag that it has done so.
 * Wrong: the flag is set before the result.
 */
// expects: data-race, order-violation, atomicity
public class VolatileFlag {
  private static volatile boolean done;
  private static int result;

  static void measure() {
    done = true; // bug
    result = 42; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread worker = new Thread(VolatileFlag::measure);
    worker.start();
    pause(30);
    int seen = done ? result : 42; // bug
    worker.join();
    if (seen != 42) throw new AssertionError("result " + seen);
    System.out.println("result " + seen);
  }
}
