/*
 * A client waits up to ten seconds until a server has answered.
 * Right: it does so after that.
 */
public class NotifyEarly {
  private static final Object lock = new Object();
  private static boolean done;
  private static String answer;

  static void ask() {
    pause(40);
    synchronized (lock) {
      try {
        long end = System.currentTimeMillis() + 10_000;
        while (!done && System.currentTimeMillis() < end) lock.wait(10_000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (done && answer.length() != 3) throw new AssertionError(answer);
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
      answer = "yes";
    }
    synchronized (lock) {
      done = true;
      lock.notifyAll();
    }
    client.join();
    System.out.println("asked");
  }
}
