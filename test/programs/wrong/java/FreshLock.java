/*
 * Visits are counted under a lock.
 * Wrong: every visitor has a lock of its own, so nobody waits for anybody.
 */
// expects: data-race, atomicity, order-violation at FreshLock.visits
public class FreshLock {
  private static int visits;

  static void visit() {
    Object lock = new Object();
    synchronized (lock) {
      visits++; // bug
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
