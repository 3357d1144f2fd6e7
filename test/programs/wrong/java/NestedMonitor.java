/*
 * A queue inside a service; both have monitors.
 * Wrong: who waits for an item waits inside the monitor of the service, which it keeps. Nobody can get in to bring one.
 */
// expects: deadlock, order-violation
public class NestedMonitor {
  private final Object queue = new Object();
  private int items;
  private int served;

  synchronized void serve() throws InterruptedException { // bug
    synchronized (queue) {
      while (items == 0) queue.wait(); // bug
      items--;
    }
    served++;
  }

  synchronized void bring() { // bug
    synchronized (queue) {
      items++; // bug
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
