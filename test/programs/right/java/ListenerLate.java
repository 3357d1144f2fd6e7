/*
 * A loader tells its listeners that it is done; main adds a listener and waits for it.
 * Right: who is added after the end is told at once.
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class ListenerLate {
  private final List<Runnable> listeners = new ArrayList<>();
  private boolean done;

  void add(Runnable listener) {
    synchronized (listeners) {
      if (done) {
        listener.run();
        return;
      }
      listeners.add(listener);
    }
  }

  void done() {
    synchronized (listeners) {
      done = true;
      for (Runnable one : listeners) one.run();
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
    told.await();
    System.out.println("told");
  }
}
