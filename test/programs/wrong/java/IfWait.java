/*
 * Two cooks take dishes from a shelf; a cook who finds none waits until one is put there.
 * Wrong: `if` around the wait. Another cook can take the dish between the notification and the end of the wait.
 */
// expects: atomicity, order-violation, data-race at dishes
public class IfWait {
  private static final Object lock = new Object();
  private static int dishes;

  static void cook(int delay) {
    pause(delay);
    synchronized (lock) {
      try {
        if (dishes == 0) lock.wait(); // bug
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      dishes--; // bug
      if (dishes < 0) throw new IllegalStateException("there is no dish");
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
    Thread a = new Thread(() -> cook(0));
    Thread b = new Thread(() -> cook(140));
    a.start();
    b.start();
    for (int i = 0; i < 2; i++) {
      pause(50);
      synchronized (lock) {
        dishes++; // bug
        lock.notify(); // bug
      }
    }
    a.join();
    b.join();
    System.out.println(dishes + " dishes are left");
  }
}
