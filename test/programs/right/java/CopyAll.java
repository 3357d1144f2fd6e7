/*
 * A thread copies the prices of a shop, and prints some, while another one adds a price.
 * Right: whoever goes through the map holds the lock of the map.
 */
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class CopyAll {
  private static final Map<String, Integer> prices = new HashMap<>();

  static Map<String, Integer> copy() {
    Map<String, Integer> made = new HashMap<>();
    List<String> names;
    synchronized (prices) {
      made.putAll(prices);
      names = new ArrayList<>(prices.keySet());
      if (("" + prices).isEmpty() || prices.hashCode() != made.hashCode()) throw new AssertionError("changed");
    }
    if (names.size() != made.size()) throw new AssertionError("changed");
    return made;
  }

  public static void main(String[] args) throws Exception {
    prices.put("tea", 3);
    prices.put("rice", 2);
    prices.put("salt", 1);
    Thread other =
        new Thread(
            () -> {
              synchronized (prices) {
                prices.put("oil", 7);
              }
            });
    other.start();
    Map<String, Integer> seen = copy();
    other.join();
    if (seen.size() < 3) throw new AssertionError("only " + seen.size());
    System.out.println(prices.size() + " prices");
  }
}
