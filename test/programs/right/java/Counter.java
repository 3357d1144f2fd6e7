/*
 * Two threads of a server count the requests they have served.
 * Right: one thread at a time counts.
 */
public class Counter {
  private static final int EACH = 5;
  private static int served;

  private static synchronized void count() {
    served++;
  }

  private static void serve(int delay) {
    pause(delay);
    for (int i = 0; i < EACH; i++) count();
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
