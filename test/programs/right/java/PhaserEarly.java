/*
 * Two workers fill their halves; a Phaser says when both are done.
 */
import java.util.concurrent.Phaser;

public class PhaserEarly {
  private static final Phaser phaser = new Phaser(3);
  private static final int[] halves = new int[2];

  static void half(int me) {
    halves[me] = 5;
    phaser.arrive();
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
    int sum = halves[0] + halves[1];
    if (sum != 10) throw new AssertionError("sum " + sum);
    System.out.println("sum 10");
  }
}
