/*
 * A thread waits until another has opened the database.
 * Wrong: it just waits, and looks at nothing before. A notification that comes earlier reaches nobody, and there is no second one.
 */
// expects: deadlock, order-violation
public class LostWakeup {
  private static final Object lock = new Object();
  private static int database;

  static void read() {
    synchronized (lock) {
      try {
        lock.wait(); // bug
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      database++;
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
    Thread reader = new Thread(LostWakeup::read);
    reader.start();
    pause(60);
    synchronized (lock) {
      database = 7;
      lock.notify(); // bug
    }
    reader.join();
    System.out.println("database " + database);
  }
}
