/*
 * A CompletableFuture gives a price; a callback stores it.
 * Wrong: main waits for the price, not for the callback. The store may come later.
 */
// expects: order-violation, data-race, atomicity, property, typestate at FutureCallback.stored
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
    price.thenAccept(n -> stored = n); // bug
    pool.execute(() -> price.complete(30));
    pause(40);
    price.join();
    int seen = stored; // bug
    pool.shutdown();
    if (seen != 30) throw new AssertionError("stored " + seen);
    System.out.println("stored 30");
  }
}
