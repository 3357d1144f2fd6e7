/*
 * A sum in halves by ForkJoinTask.invokeAll: what the halves have written is seen when it returns.
 */
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

public class ForkJoinAll {
  private static final int[] numbers = new int[64];
  private static final int[] sums = new int[128];

  static final class Sum extends RecursiveAction {
    private final int node;
    private final int from;
    private final int to;

    Sum(int node, int from, int to) {
      this.node = node;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from == 16) {
        for (int i = from; i < to; i++) sums[node] += numbers[i];
        return;
      }
      int middle = (from + to) / 2;
      invokeAll(new Sum(2 * node, from, middle), new Sum(2 * node + 1, middle, to));
      sums[node] = sums[2 * node] + sums[2 * node + 1];
    }
  }

  public static void main(String[] args) {
    for (int i = 0; i < numbers.length; i++) numbers[i] = i;
    ForkJoinPool pool = new ForkJoinPool(2);
    pool.invoke(new Sum(1, 0, numbers.length));
    pool.shutdown();
    if (sums[1] != 2016) throw new AssertionError("sum " + sums[1]);
    System.out.println("sum 2016");
  }
}
