/*
 * A loader tells its listeners that it is done; main adds a listener and waits for it.
 * Wrong: a listener that is added after the end is never told.
 */
// expects: order-violation, data-race, atomicity, deadlock, property, typestate
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class ListenerLate {
  private final List<Runnable> listeners = new ArrayList<>();

  void add(Runnable listener) {
    synchronized (listeners) {
      listeners.add(listener); // bug
    }
  }

  void done() {
    synchronized (listeners) {
      for (Runnable one : listeners) one.run(); // bug
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
    ListenerLate loader = new ListenerLate();
    CountDownLatch told = new CountDownLatch(1);
    new Thread(
            () -> {
              pause(50);
              loader.done();
            })
        .start();
    loader.add(told::countDown);
    told.await(); // bug
    System.out.println("told");
  }
}
