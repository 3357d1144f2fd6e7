/*
 * Two threads book seats under a StampedLock.
 * Wrong: what was seen under the read lock is acted on under the write lock, and nothing is looked at again.
 */
// expects: order-violation, data-race, atomicity at seats
import java.util.concurrent.locks.StampedLock;

public class StampedSeats {
  private static final StampedLock lock = new StampedLock();
  private static int seats = 1;
  private static int booked;

  static void book() {
    long stamp = lock.readLock();
    boolean free = seats > 0; // bug
    lock.unlockRead(stamp);
    if (!free) return;
    stamp = lock.writeLock();
    seats--; // bug
    booked++; // bug
    lock.unlockWrite(stamp);
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(StampedSeats::book);
    Thread b = new Thread(StampedSeats::book);
    a.start();
    pause(40);
    b.start();
    a.join();
    b.join();
    if (booked != 1) throw new AssertionError("booked " + booked);
    System.out.println("booked 1");
  }
}
