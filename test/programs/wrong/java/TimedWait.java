/*
 * A client waits up to a second for the answer of a server.
 * Wrong: when the wait is over it takes the answer, also when there is none because the time was up.
 */
// expects: order-violation, data-race, atomicity
public class TimedWait {
  private static final Object lock = new Object();
  private static String answer;

  static void ask() {
    synchronized (lock) {
      try {
        if (answer == null) lock.wait(1000); // bug
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (answer.length() != 3) throw new AssertionError(answer); // bug
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
    Thread client = new Thread(TimedWait::ask);
    client.start();
    pause(30);
    synchronized (lock) {
      answer = "yes"; // bug
      lock.notifyAll();
    }
    client.join();
    System.out.println("asked");
  }
}
