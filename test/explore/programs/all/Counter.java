/** Two threads count under a lock: small enough that all classes of its schedules are run. */
public class Counter {
  static final Object lock = new Object();
  static int count;

  public static void main(String[] args) throws InterruptedException {
    Runnable add =
        () -> {
          synchronized (lock) {
            count++;
          }
        };
    Thread a = new Thread(add);
    Thread b = new Thread(add);
    a.start();
    b.start();
    a.join();
    b.join();
    if (count != 2) throw new IllegalStateException("lost");
  }
}
