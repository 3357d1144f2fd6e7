import com.github.benmanes.caffeine.cache.Cache;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Three threads use one cache. */
public class Caffeine {
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 300;
    Cache<Integer, Integer> cache = com.github.benmanes.caffeine.cache.Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();
    AtomicLong sum = new AtomicLong();
    CountDownLatch begin = new CountDownLatch(1);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < threads.length; t++) {
      int own = t;
      threads[t] = new Thread(() -> {
        try {
          begin.await();
        } catch (InterruptedException e) {
          return;
        }
        for (int i = 0; i < rounds; i++) sum.addAndGet(cache.get((i * 7 + own) % 50, key -> key * 2));
      });
      threads[t].start();
    }
    begin.countDown();
    for (Thread thread : threads) thread.join();
    cache.cleanUp();
    System.out.println("sum " + sum.get() + ", size " + cache.estimatedSize());
  }
}
