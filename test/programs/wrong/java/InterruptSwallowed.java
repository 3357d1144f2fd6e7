/*
 * A worker does jobs until it is interrupted.
 * Wrong: an interrupt during a job is swallowed. The worker then waits for a job that never comes.
 */
// expects: order-violation, deadlock, atomicity, data-race
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class InterruptSwallowed {
  private static final BlockingQueue<Integer> jobs = new LinkedBlockingQueue<>();

  static void job(int ms) {
    try {
      Thread.sleep(ms); // bug
    } catch (InterruptedException e) {
      return;
    }
  }

  static void work() {
    try {
      for (;;) job(jobs.take()); // bug
    } catch (InterruptedException e) {
      System.out.println("stopped");
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
    Thread worker = new Thread(InterruptSwallowed::work);
    worker.start();
    jobs.add(5); // bug
    pause(80);
    worker.interrupt(); // bug
    worker.join();
  }
}
