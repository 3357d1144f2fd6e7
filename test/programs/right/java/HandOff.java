/*
 * A SynchronousQueue hands items from one thread to the other.
 */
import java.util.concurrent.SynchronousQueue;

public class HandOff {
  private static final SynchronousQueue<Integer> queue = new SynchronousQueue<>();

  public static void main(String[] args) throws Exception {
    Thread giver =
        new Thread(
            () -> {
              try {
                for (int i = 1; i <= 3; i++) queue.put(i);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    giver.start();
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += queue.take();
    giver.join();
    if (sum != 6) throw new AssertionError("sum " + sum);
    System.out.println("sum 6");
  }
}
