/*
 * Jobs in a pool of two threads hand a part of their work to the same pool and wait for it.
 * Wrong: when both threads wait for parts, nobody is left to do them.
 */
// expects: deadlock, order-violation, atomicity, property, typestate
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolSelf {
  private static final ExecutorService pool = Executors.newFixedThreadPool(2);
  private static final AtomicInteger running = new AtomicInteger();

  static int job(int n) throws Exception {
    running.incrementAndGet(); // bug
    Future<Integer> part = pool.submit(() -> n * 10); // bug
    int result = part.get() + 1; // bug
    running.decrementAndGet(); // bug
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
    Future<Integer> a = pool.submit(() -> job(1)); // bug
    pause(60);
    Future<Integer> b = pool.submit(() -> job(2)); // bug
    System.out.println(a.get() + b.get());
    pool.shutdown();
  }
}
