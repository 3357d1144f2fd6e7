/*
 * Threads take the last entry of a Vector, if there is one.
 * Wrong: between `size` and `remove` another thread may take it.
 */
// expects: atomicity, order-violation, data-race, property, typestate
import java.util.Vector;

public class SynchronizedLast {
  private static final Vector<String> tasks = new Vector<>();

  static String last() {
    return tasks.size() > 0 ? tasks.remove(tasks.size() - 1) : ""; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    tasks.add("only");
    Thread other =
        new Thread(
            () -> {
              pause(30);
              last();
            });
    other.start();
    last();
    other.join();
    System.out.println(tasks.size() + " tasks");
  }
}
