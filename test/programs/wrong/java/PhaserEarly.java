/*
 * Two workers fill their halves; a Phaser says when both are done.
 * Wrong: a worker arrives before it has written its half, and main may add up too early.
 */
// expects: order-violation, data-race, atomicity
import java.util.concurrent.Phaser;

public class PhaserEarly {
  private static final Phaser phaser = new Phaser(3);
  private static final int[] halves = new int[2];

  static void half(int me) {
    phaser.arrive();
    halves[me] = 5; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(() -> half(0)).start();
    new Thread(() -> half(1)).start();
    pause(40);
    phaser.arriveAndAwaitAdvance();
    int sum = halves[0] + halves[1]; // bug
    if (sum != 10) throw new AssertionError("sum " + sum);
    System.out.println("sum 10");
  }
}
