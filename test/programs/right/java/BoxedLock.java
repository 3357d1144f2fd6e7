/*
 * Visits are counted under a lock.
 * Right: the lock is an object of its own.
 */
public class BoxedLock {
  private static Integer visits = 1000;
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
