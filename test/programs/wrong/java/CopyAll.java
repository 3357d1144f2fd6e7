/*
 * A thread copies the prices of a shop while another one adds a price.
 * Wrong: the copy goes through a HashMap that is changed meanwhile: a ConcurrentModificationException.
 */
// expects: data-race, atomicity, order-violation, property, typestate
import java.util.HashMap;
import java.util.Map;

public class CopyAll {
  private static final Map<String, Integer> prices = new HashMap<>();

  static Map<String, Integer> copy() {
    Map<String, Integer> made = new HashMap<>();
    made.putAll(prices); // bug
    return made;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    prices.put("tea", 3);
    prices.put("rice", 2);
    prices.put("salt", 1);
    Thread other =
        new Thread(
            () -> {
              pause(30);
              prices.put("oil", 7); // bug
            });
    other.start();
    Map<String, Integer> seen = copy();
    other.join();
    if (seen.size() < 3) throw new AssertionError("only " + seen.size());
    System.out.println(prices.size() + " prices");
  }
}
