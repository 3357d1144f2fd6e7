/*
 * A thread measures something and says with a volatile flag that it has done so.
 * Right: the flag is set after it.
 */
public class VolatileFlag {
  private static volatile boolean done;
  private static int result;

  static void measure() {
    result = 42;
    done = true;
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
    int seen = done ? result : 42;
    worker.join();
    if (seen != 42) throw new AssertionError("result " + seen);
    System.out.println("result " + seen);
  }
}
