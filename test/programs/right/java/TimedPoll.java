/*
 * A consumer polls a queue with a time-out until it has everything.
 */
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

public class TimedPoll {
  private static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();

  public static void main(String[] args) throws Exception {
    Thread producer =
        new Thread(
            () -> {
              for (int i = 1; i <= 3; i++) queue.add(i);
            });
    producer.start();
    int sum = 0;
    while (sum < 6) {
      Integer item = queue.poll(20, TimeUnit.MILLISECONDS);
      if (item != null) sum += item;
    }
    producer.join();
    System.out.println("sum " + sum);
  }
}
