/*
 * Requests are counted by a pool of handlers.
 * Right: both are counted by atomic operations.
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

public class LongHits {
  private static final AtomicLong hits = new AtomicLong();
  private static final AtomicLong bytes = new AtomicLong();

  static void handle(String request) {
    hits.incrementAndGet();
    bytes.addAndGet(request.length());
  }

  public static void main(String[] args) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 10; i++) {
      String request = "GET /" + i;
      pool.execute(() -> handle(request));
    }
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.MINUTES)) throw new IllegalStateException("the pool does not end");
    if (hits.get() != 10 || bytes.get() != 60) {
      System.out.println("Lost: " + hits + " hits, " + bytes + " bytes.");
      System.exit(3);
    }
    System.out.println(hits + " hits.");
  }
}
