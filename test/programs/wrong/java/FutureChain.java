/*
 * A price is loaded, changed and stored by a chain of futures; main waits for the end of the chain.
 * Wrong: it waits for a stage in the middle, and the last one may not have stored it yet.
 */
// expects: order-violation, data-race, atomicity, property, typestate at FutureChain.stored
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureChain {
  private static int discount;
  private static int stored;

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    CompletableFuture<Integer> price = new CompletableFuture<>();
    discount = 10;
    CompletableFuture<Integer> lower = price.thenApply(n -> n - discount);
    CompletableFuture<Void> end = lower.thenAcceptAsync(n -> stored = n, pool); // bug
    pool.execute(() -> price.complete(40));
    pause(60);
    lower.join();
    int seen = stored; // bug
    pool.shutdown();
    if (seen != 30) throw new AssertionError("stored " + seen);
    System.out.println("stored 30");
  }
}
