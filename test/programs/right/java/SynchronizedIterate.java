/*
 * A list of Collections.synchronizedList that one thread prints and another one changes.
 * Right: the loop locks the list, as the documentation says.
 */
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedIterate {
  private static final List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());

  static int sum() {
    int sum = 0;
    synchronized (numbers) {
      for (int n : numbers) sum += n;
    }
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
              numbers.remove(0);
            });
    other.start();
    int sum = sum();
    other.join();
    if (sum != 6 && sum != 5) throw new AssertionError("sum " + sum);
    System.out.println(numbers.size() + " numbers");
  }
}
