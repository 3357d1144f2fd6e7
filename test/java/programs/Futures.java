import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Who knows by any way that a future is complete sees what was done for it. */
public class Futures {
  private static int a, b, c, d, e, f, g, h, i;

  private static void check(int seen, int expected) {
    if (seen != expected) throw new IllegalStateException(seen + " instead of " + expected);
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    CompletableFuture<?> one = CompletableFuture.runAsync(() -> a = 1, pool);
    CompletableFuture<?> two = CompletableFuture.runAsync(() -> b = 2, pool);
    CompletableFuture<?> three = CompletableFuture.runAsync(() -> c = 3, pool);
    CompletableFuture.allOf(one, two, three).join();
    check(a + b + c, 6);
    CompletableFuture<?> four = CompletableFuture.runAsync(() -> d = 4, pool);
    CompletableFuture<?> five = CompletableFuture.runAsync(() -> e = 5, pool);
    check(four.thenCombine(five, (x, y) -> d + e).join(), 9);
    pool.invokeAll(Arrays.asList(() -> f = 6, () -> g = 7));
    check(f + g, 13);
    CompletionService<Integer> finished = new ExecutorCompletionService<>(pool);
    finished.submit(() -> h = 8);
    finished.take();
    check(h, 8);
    Future<?> nine = pool.submit(() -> i = 9);
    while (!nine.isDone()) Thread.sleep(1);
    check(i, 9);
    pool.shutdown();
    System.out.println("All seen.");
  }
}
