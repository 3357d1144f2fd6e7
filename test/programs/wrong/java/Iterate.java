/*
 * A thread counts the letters of all names while another one adds a name.
 * Wrong: an ArrayList does not stand that: the iterator throws a ConcurrentModificationException.
 */
// expects: data-race, atomicity, order-violation, property, typestate
import java.util.ArrayList;
import java.util.List;

public class Iterate {
  private static final List<String> names = new ArrayList<>();

  static int letters() {
    int sum = 0;
    for (String name : names) sum += name.length(); // bug
    return sum;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    names.add("ada");
    names.add("bo");
    Thread other =
        new Thread(
            () -> {
              pause(30);
              names.add("cy"); // bug
            });
    other.start();
    int sum = letters();
    other.join();
    if (sum < 5) throw new AssertionError("sum " + sum);
    System.out.println(names.size() + " names");
  }
}
