/*
 * Visits are counted under a lock.
 * Wrong: the lock is the counter itself, a boxed number. It is another object after every count, so two threads hold two locks.
 */
// expects: data-race, atomicity, order-violation
public class BoxedLock {
  private static Integer visits = 1000;

  static void visit() {
    synchronized (visits) { // bug
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
    Thread a =
        new Thread(
            () -> {
              visit();
              visit();
            });
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
    if (visits != 1003) throw new AssertionError("visits " + visits);
    System.out.println("visits " + visits);
  }
}
