/*
 * A worker waits for work until it is told to stop.
 * Right: it is running from the beginning, and what its thread begins with is a look.
 */
import java.util.concurrent.atomic.AtomicBoolean;

public class StopBeforeRun extends Thread {
  private final AtomicBoolean running = new AtomicBoolean(true);
  private int rounds;

  @Override
  public synchronized void run() {
    if (!running.get()) return;
    try {
      while (running.get()) {
        rounds++;
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void halt() {
    running.set(false);
    synchronized (this) {
      notifyAll();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    StopBeforeRun worker = new StopBeforeRun();
    worker.start();
    Thread.sleep(60);
    worker.halt();
    worker.join();
    System.out.println("stopped");
  }
}
