/*
 * A parallel stream and a CompletableFuture that combines two others.
 */
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

public class ParallelSum {
  public static void main(String[] args) {
    int sum = IntStream.rangeClosed(1, 50).parallel().sum();
    CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> sum);
    CompletableFuture<Integer> b = CompletableFuture.supplyAsync(() -> 1);
    int all = a.thenCombine(b, Integer::sum).thenApplyAsync(n -> n * 2).join();
    if (all != 2552) throw new AssertionError("all " + all);
    System.out.println(all);
  }
}
