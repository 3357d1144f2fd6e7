/*
 * A client waits up to a second for the answer of a server.
 * Right: without an answer it goes on without one.
 */
public class TimedWait {
  private static final Object lock = new Object();
  private static String answer;

  static void ask() {
    synchronized (lock) {
      try {
        if (answer == null) lock.wait(1000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (answer != null && answer.length() != 3) throw new AssertionError(answer);
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
      answer = "yes";
      lock.notifyAll();
    }
    client.join();
    System.out.println("asked");
  }
}
