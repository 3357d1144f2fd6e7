/*
 * Two producers and one consumer with a BlockingQueue; a pill tells the consumer to stop.
 * Right: main brings it when both have ended.
 */
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class PoisonPill {
  private static final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private static final String PILL = "stop";

  static void produce(int delay, boolean last) {
    pause(delay);
    queue.add("item");
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
    a.join();
    b.join();
    queue.add(PILL);
    int items = 0;
    while (queue.take() != PILL) items++;
    if (items != 2) throw new AssertionError("items " + items);
    System.out.println("2 items");
  }
}
