/*
 * Two jobs for a pool: the first one loads a table, the second one reads it.
 * Wrong: a pool with two threads may begin the second job before the first one is done.
 */
// expects: order-violation, data-race, atomicity, property, typestate at TaskOrder.table
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class TaskOrder {
  private static volatile int[] table;

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    pool.submit(() -> table = new int[] {1, 2, 3}); // bug
    pause(40);
    Future<Integer> length = pool.submit(() -> table.length); // bug
    System.out.println(length.get() + " rows");
    pool.shutdown();
  }
}
