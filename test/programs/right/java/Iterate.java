/*
 * A thread counts the letters of all names while another one adds a name.
 * Right: a CopyOnWriteArrayList does.
 */
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class Iterate {
  private static final List<String> names = new CopyOnWriteArrayList<>();

  static int letters() {
    int sum = 0;
    for (String name : names) sum += name.length();
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
              names.add("cy");
            });
    other.start();
    int sum = letters();
    other.join();
    if (sum < 5) throw new AssertionError("sum " + sum);
    System.out.println(names.size() + " names");
  }
}
