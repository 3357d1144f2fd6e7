/*
 * A ConcurrentHashMap of counters by word.
 * Wrong: `containsKey` and `put` are each atomic, both together are not. Two counters are made, and what the first one counts is lost.
 */
// expects: atomicity, order-violation, data-race, property, typestate
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapCheck {
  private static final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  static void count(String word) {
    if (!counts.containsKey(word)) counts.put(word, new AtomicInteger()); // bug
    counts.get(word).incrementAndGet(); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(30);
              count("heddle");
            });
    other.start();
    count("heddle");
    other.join();
    if (counts.get("heddle").get() != 2) throw new AssertionError("counts " + counts);
    System.out.println("2 times");
  }
}
