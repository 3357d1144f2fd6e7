import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Who sees that a pool has ended sees what its threads did: pools of both sorts, and one behind a wrapper; by waiting, and by asking. */
public class PoolEnds {
  private static int[] done = new int[4];

  public static void main(String[] args) throws InterruptedException {
    ExecutorService[] pools = {Executors.newFixedThreadPool(2), Executors.newSingleThreadExecutor(), new ForkJoinPool(2), Executors.newFixedThreadPool(1)};
    for (int i = 0; i < pools.length; i++) {
      int own = i;
      pools[i].execute(() -> done[own] = own + 1);
      pools[i].shutdown();
      if (i < 3) pools[i].awaitTermination(1, TimeUnit.MINUTES);
      else while (!pools[i].isTerminated()) Thread.yield();
      if (done[i] != i + 1) throw new IllegalStateException("pool " + i + " has not done its work");
    }
    System.out.println("All done.");
  }
}
