/*
 * A client waits up to ten seconds until a server has answered.
 * Wrong: the server says that it is done and notifies before the answer is there.
 */
// expects: order-violation, data-race, atomicity
public class NotifyEarly {
  private static final Object lock = new Object();
  private static boolean done;
  private static String answer;

  static void ask() {
    pause(40);
    synchronized (lock) {
      try {
        long end = System.currentTimeMillis() + 10_000;
        while (!done && System.currentTimeMillis() < end) lock.wait(10_000); // bug
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (done && answer.length() != 3) throw new AssertionError(answer); // bug
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread client = new Thread(NotifyEarly::ask);
    client.start();
    synchronized (lock) {
      done = true; // bug
      lock.notifyAll(); // bug
    }
    synchronized (lock) {
      answer = "yes"; // bug
    }
    client.join();
    System.out.println("asked");
  }
}
