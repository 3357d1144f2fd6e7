/*
 * Two threads of a server count the requests they have served.
 * Wrong: `served++` is a read and a write. What another thread counts between the two is lost.
 */
// expects: data-race, atomicity, order-violation at Counter.served
public class Counter {
  private static final int EACH = 5;
  private static int served;

  private static void serve(int delay) {
    pause(delay);
    for (int i = 0; i < EACH; i++) served++; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> serve(0));
    Thread b = new Thread(() -> serve(30));
    a.start();
    b.start();
    a.join();
    b.join();
    if (served != 2 * EACH) throw new AssertionError("requests: " + served);
    System.out.println(served + " requests");
  }
}
