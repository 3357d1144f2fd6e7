import java.util.concurrent.locks.StampedLock;

/** A lock that is converted, which is not modelled. */
public class Converts {
  static final StampedLock lock = new StampedLock();
  static int count;

  static void add() {
    long stamp = lock.readLock();
    long write = lock.tryConvertToWriteLock(stamp);
    if (write == 0) {
      lock.unlockRead(stamp);
      write = lock.writeLock();
    }
    count++;
    lock.unlockWrite(write);
  }

  public static void main(String[] args) throws InterruptedException {
    Thread other = new Thread(Converts::add);
    other.start();
    add();
    other.join();
    System.out.println(count);
  }
}
