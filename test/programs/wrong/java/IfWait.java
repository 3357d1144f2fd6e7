/*
 * Two consumers take jobs that a producer brings.
 * Wrong: `if` instead of `while`. Between the notification and the end of the wait another consumer may have taken the job.
 */
// expects: atomicity, order-violation, data-race
import java.util.ArrayDeque;

public class IfWait {
  private static final Object lock = new Object();
  private static final ArrayDeque<String> jobs = new ArrayDeque<>();

  static void consume() {
    synchronized (lock) {
      try {
        if (jobs.isEmpty()) lock.wait(); // bug
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      System.out.println("job " + jobs.removeFirst().length()); // bug
    }
  }

  static void produce() {
    synchronized (lock) {
      jobs.addLast("press");
      lock.notifyAll(); // bug
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
