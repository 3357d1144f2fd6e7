/*
 * A ForkJoinPool sums an array in halves.
 * Wrong: the halves add to one field, each with a read and a write.
 */
// expects: data-race, atomicity, order-violation at ForkJoinSum.sum
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoinSum {
  private static final int[] numbers = {1, 2, 3, 4};
  private static int sum;

  static class Part extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1;
    private final int from;
    private final int to;

    Part(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected Integer compute() {
      if (to - from == 1) {
        sum += numbers[from]; // bug
        return numbers[from];
      }
      int middle = (from + to) / 2;
      Part left = new Part(from, middle);
      Part right = new Part(middle, to);
      left.fork();
      pause(30);
      return right.compute() + left.join();
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(2);
    int given = pool.invoke(new Part(0, numbers.length));
    pool.shutdown();
    if (sum != given) throw new AssertionError("sum " + sum + ", not " + given);
    System.out.println("sum " + given);
  }
}
