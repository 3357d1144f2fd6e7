/*
 * A list of Collections.synchronizedList that one thread prints and another one changes.
 * Wrong: each call locks the list, but the loop over it is many calls.
 */
// expects: atomicity, order-violation, data-race, property, typestate
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedIterate {
  private static final List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());

  static int sum() {
    int sum = 0;
    for (int n : numbers) sum += n; // bug
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
    for (int i = 1; i <= 3; i++) numbers.add(i);
    Thread other =
        new Thread(
            () -> {
              pause(30);
              numbers.remove(0); // bug
            });
    other.start();
    int sum = sum();
    other.join();
    if (sum != 6 && sum != 5) throw new AssertionError("sum " + sum);
    System.out.println(numbers.size() + " numbers");
  }
}
