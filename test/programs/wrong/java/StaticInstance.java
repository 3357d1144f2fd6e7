/*
 * All tickets have numbers from one counter.
 * Wrong: one method locks the class, the other one the ticket office it belongs to.
 */
// expects: data-race, atomicity, order-violation at last
public class StaticInstance {
  private static int last;

  static synchronized int next() {
    return ++last; // bug
  }

  synchronized int reserve(int n) {
    last += n; // bug
    return last;
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
              new StaticInstance().reserve(10);
            });
    other.start();
    next();
    other.join();
    if (next() != 12) throw new AssertionError("last " + last);
    System.out.println("last 12");
  }
}
