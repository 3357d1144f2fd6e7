/*
 * Two threads go through three phases of a Phaser; nobody is a phase ahead.
 */
import java.util.concurrent.Phaser;

public class Phases {
  private static final Phaser phaser = new Phaser(2);
  private static final int[] cells = new int[2];

  static void run(int me) {
    for (int phase = 1; phase <= 3; phase++) {
      cells[me] = phase;
      phaser.arriveAndAwaitAdvance();
      if (cells[1 - me] != phase) throw new AssertionError("phase " + cells[1 - me]);
      phaser.arriveAndAwaitAdvance();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> run(1));
    other.start();
    run(0);
    other.join();
    System.out.println("3 phases");
  }
}
