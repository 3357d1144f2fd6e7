/*
 * A buffer for one item. Producers and consumers wait at the same monitor.
 * Right: `notifyAll`.
 */
public class NotifyOne {
  private int item;

  synchronized void put(int n) throws InterruptedException {
    while (item != 0) wait();
    item = n;
    notifyAll();
  }

  synchronized int take() throws InterruptedException {
    while (item == 0) wait();
    int taken = item;
    item = 0;
    notifyAll();
    return taken;
  }

  interface Job {
    void run() throws InterruptedException;
  }

  static Thread start(int delay, Job job) {
    Thread thread =
        new Thread(
            () -> {
              pause(delay);
              try {
                job.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    NotifyOne buffer = new NotifyOne();
    Thread[] threads = {
      start(0, () -> buffer.put(1)), start(25, () -> buffer.take()), start(50, () -> buffer.put(2)), start(75, () -> buffer.take()),
    };
    for (Thread thread : threads) thread.join();
    System.out.println("item " + buffer.item);
  }
}
