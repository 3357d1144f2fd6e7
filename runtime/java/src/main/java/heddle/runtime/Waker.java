package heddle.runtime;

import java.util.ArrayDeque;

/** Ends real waits of threads that have got the turn: to notify a thread one has to hold the monitor, which may take a moment. */
final class Waker extends Thread {
  private static final ArrayDeque<Object> wanted = new ArrayDeque<>();

  private Waker() {
    super("heddle waker");
  }

  static void begin() {
    Waker waker = new Waker();
    waker.setDaemon(true);
    waker.start();
  }

  static void wake(Object object) {
    synchronized (wanted) {
      wanted.add(object);
      wanted.notifyAll();
    }
  }

  @Override
  public void run() {
    for (;;) {
      Object object;
      synchronized (wanted) {
        while (wanted.isEmpty()) {
          try {
            wanted.wait();
          } catch (InterruptedException e) {
            return;
          }
        }
        object = wanted.poll();
      }
      synchronized (object) {
        object.notifyAll();
      }
    }
  }
}
