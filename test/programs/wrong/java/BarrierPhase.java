/*
 * Two threads compute in phases; each needs what the other one computed in the phase before.
 * Wrong: there is one barrier after the writing, none after the reading. The next phase may overwrite what the other one has not read yet.
 */
// expects: data-race, order-violation, atomicity
import java.util.concurrent.CyclicBarrier;

public class BarrierPhase {
  private static final CyclicBarrier barrier = new CyclicBarrier(2);
  private static final int[] cells = new int[2];
  private static final int[] sums = new int[2];

  static void compute(int me) throws Exception {
    for (int phase = 1; phase <= 2; phase++) {
      cells[me] = phase; // bug
      barrier.await();
      if (me == 0) pause(20);
      sums[me] += cells[1 - me]; // bug
      pause(60);
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
    Thread other =
        new Thread(
            () -> {
              try {
                compute(1);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    other.start();
    compute(0);
    other.join();
    if (sums[0] != 3 || sums[1] != 3) throw new AssertionError(sums[0] + " and " + sums[1]);
    System.out.println("sums 3");
  }
}
