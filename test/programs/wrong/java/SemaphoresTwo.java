/*
 * Jobs that need a tape and a disk; a semaphore for each.
 * Wrong: one job takes the tape first, the other one the disk.
 */
// expects: deadlock
import java.util.concurrent.Semaphore;

public class SemaphoresTwo {
  private static final Semaphore tape = new Semaphore(1);
  private static final Semaphore disk = new Semaphore(1);
  private static int copies;

  static void copy(Semaphore first, Semaphore second) throws InterruptedException {
    first.acquire(); // bug
    second.acquire(); // bug
    copies++;
    second.release();
    first.release();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread restore =
        new Thread(
            () -> {
              pause(30);
              try {
                copy(disk, tape);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    restore.start();
    copy(tape, disk);
    restore.join();
    System.out.println(copies + " copies");
  }
}
