/*
 * Visits are counted under a lock.
 * Right: there is one lock for all.
 */
public class FreshLock {
  private static int visits;
  private static final Object lock = new Object();

  static void visit() {
    synchronized (lock) {
      visits++;
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
    Thread a = new Thread(FreshLock::visit);
    Thread b =
        new Thread(
            () -> {
              pause(30);
              visit();
            });
    a.start();
    b.start();
    a.join();
    b.join();
    if (visits != 2) throw new AssertionError("visits " + visits);
    System.out.println("visits " + visits);
  }
}
