/*
 * Jobs in a pool of two threads hand a part of their work to the same pool and wait for it.
 * Right: the parts have a pool of their own.
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolSelf {
  private static final ExecutorService pool = Executors.newFixedThreadPool(2);
  private static final ExecutorService parts = Executors.newFixedThreadPool(2);
  private static final AtomicInteger running = new AtomicInteger();

  static int job(int n) throws Exception {
    running.incrementAndGet();
    Future<Integer> part = parts.submit(() -> n * 10);
    int result = part.get() + 1;
    running.decrementAndGet();
    return result;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Future<Integer> a = pool.submit(() -> job(1));
    pause(60);
    Future<Integer> b = pool.submit(() -> job(2));
    System.out.println(a.get() + b.get());
    pool.shutdown();
    parts.shutdown();
  }
}
