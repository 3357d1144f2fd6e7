/*
 * Two consumers take jobs that a producer brings.
 * Right: the condition is looked at again after the wait.
 */
import java.util.ArrayDeque;

public class IfWait {
  private static final Object lock = new Object();
  private static final ArrayDeque<String> jobs = new ArrayDeque<>();

  static void consume() {
    synchronized (lock) {
      try {
        while (jobs.isEmpty()) lock.wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      System.out.println("job " + jobs.removeFirst().length());
    }
  }

  static void produce() {
    synchronized (lock) {
      jobs.addLast("press");
      lock.notifyAll();
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
    Thread first = new Thread(IfWait::consume);
    first.start();
    pause(40);
    produce();
    pause(40);
    Thread second = new Thread(IfWait::consume);
    second.start();
    pause(40);
    produce();
    first.join();
    second.join();
  }
}
