/*
 * A worker waits for work until it is told to stop.
 * Wrong: it says that it is running when its thread begins. Who tells it to stop before that is not heard.
 */
// expects: deadlock, order-violation
import java.util.concurrent.atomic.AtomicBoolean;

public class StopBeforeRun extends Thread {
  private final AtomicBoolean running = new AtomicBoolean();
  private int rounds;

  @Override
  public synchronized void run() {
    running.set(true); // bug
    try {
      while (running.get()) {
        rounds++;
        wait(); // bug
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void halt() {
    running.set(false); // bug
    synchronized (this) {
      notifyAll(); // bug
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
