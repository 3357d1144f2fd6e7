/*
 * Two producers and one consumer with a BlockingQueue; a pill tells the consumer to stop.
 * Wrong: the producer that ends last by the usual timing brings the pill. What the other one puts after it is never taken.
 */
// expects: order-violation, atomicity, data-race
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class PoisonPill {
  private static final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private static final String PILL = "stop";

  static void produce(int delay, boolean last) {
    pause(delay);
    queue.add("item"); // bug
    if (last) queue.add(PILL); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> produce(0, false));
    Thread b = new Thread(() -> produce(50, true));
    a.start();
    b.start();
    pause(120);
    int items = 0;
    while (queue.take() != PILL) items++; // bug
    a.join();
    b.join();
    if (items != 2) throw new AssertionError("items " + items);
    System.out.println("2 items");
  }
}
