/*
 * A worker does jobs until it is interrupted.
 * Right: it is remembered.
 */
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class InterruptSwallowed {
  private static final BlockingQueue<Integer> jobs = new LinkedBlockingQueue<>();

  static void job(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void work() {
    try {
      for (;;) job(jobs.take());
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
    jobs.add(5);
    pause(80);
    worker.interrupt();
    worker.join();
  }
}
