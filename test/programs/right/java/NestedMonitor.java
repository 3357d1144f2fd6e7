/*
 * A queue inside a service; both have monitors.
 * Right: the queue is asked outside the monitor of the service.
 */
public class NestedMonitor {
  private final Object queue = new Object();
  private int items;
  private int served;

  void serve() throws InterruptedException {
    synchronized (queue) {
      while (items == 0) queue.wait();
      items--;
    }
    synchronized (this) {
      served++;
    }
  }

  void bring() {
    synchronized (queue) {
      items++;
      queue.notifyAll();
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
    NestedMonitor service = new NestedMonitor();
    Thread server =
        new Thread(
            () -> {
              pause(40);
              try {
                service.serve();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    server.start();
    service.bring();
    server.join();
    System.out.println(service.served + " served");
  }
}
