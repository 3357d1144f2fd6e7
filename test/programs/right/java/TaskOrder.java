/*
 * Two jobs for a pool: the first one loads a table, the second one reads it.
 * Right: the second job waits for the first one.
 */
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
    Future<?> load = pool.submit(() -> table = new int[] {1, 2, 3});
    pause(40);
    Future<Integer> length =
        pool.submit(
            () -> {
              load.get();
              return table.length;
            });
    System.out.println(length.get() + " rows");
    pool.shutdown();
  }
}
