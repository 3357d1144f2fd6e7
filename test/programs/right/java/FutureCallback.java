/*
 * A CompletableFuture gives a price; a callback stores it.
 * Right: main waits for what comes after the callback.
 */
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureCallback {
  private static volatile int stored;

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    CompletableFuture<Integer> price = new CompletableFuture<>();
    CompletableFuture<Void> all = price.thenAccept(n -> stored = n);
    pool.execute(() -> price.complete(30));
    all.join();
    int seen = stored;
    pool.shutdown();
    if (seen != 30) throw new AssertionError("stored " + seen);
    System.out.println("stored 30");
  }
}
