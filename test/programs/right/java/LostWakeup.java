/*
 * A thread waits until another has opened the database.
 * Right: it waits while the database is not open.
 */
public class LostWakeup {
  private static final Object lock = new Object();
  private static int database;

  static void read() {
    synchronized (lock) {
      try {
        while (database == 0) lock.wait();
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
      lock.notify();
    }
    reader.join();
    System.out.println("database " + database);
  }
}
