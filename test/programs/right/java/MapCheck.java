/*
 * A ConcurrentHashMap of counters by word.
 * Right: `computeIfAbsent`.
 */
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapCheck {
  private static final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  static void count(String word) {
    counts.computeIfAbsent(word, key -> new AtomicInteger()).incrementAndGet();
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
