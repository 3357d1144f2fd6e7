/*
 * Requests are counted by a pool of handlers.
 * Wrong: a volatile long is incremented, which is a read and a write.
 */
// expects: atomicity, order-violation, data-race
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class LongHits {
  private static volatile long hits;
  private static volatile long bytes;

  static void handle(String request) {
    hits++; // bug
    bytes += request.length(); // bug
  }

  public static void main(String[] args) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 10; i++) {
      String request = "GET /" + i;
      pool.execute(() -> handle(request));
    }
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.MINUTES)) throw new IllegalStateException("the pool does not end");
    if (hits != 10 || bytes != 60) {
      System.out.println("Lost: " + hits + " hits, " + bytes + " bytes.");
      System.exit(3);
    }
    System.out.println(hits + " hits.");
  }
}
