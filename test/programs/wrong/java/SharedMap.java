/*
 * A HashMap of prices that two threads change.
 * Wrong: there is no lock around it. A price that is looked up may be gone when it is used.
 */
// expects: data-race, atomicity, order-violation, property, typestate
import java.util.HashMap;
import java.util.Map;

public class SharedMap {
  private static final Map<String, Integer> prices = new HashMap<>();

  static int price(String what) {
    if (!prices.containsKey(what)) return 0; // bug
    return prices.get(what); // bug
  }

  static void withdraw(String what) {
    prices.remove(what); // bug
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
    Thread other =
        new Thread(
            () -> {
              pause(30);
              withdraw("tea");
            });
    other.start();
    int price = price("tea");
    other.join();
    if (price != 0 && price != 3) throw new AssertionError("price " + price);
    System.out.println(prices.size() + " prices");
  }
}
