/*
 * A registry is made when it is first needed.
 * Wrong: two threads may both see that there is none, and each makes its own. What is registered in the first one is lost.
 */
// expects: data-race, atomicity, order-violation, property, typestate at LazyInit.registry
import java.util.Vector;

public class LazyInit {
  private static LazyInit registry;
  private final Vector<String> names = new Vector<>();

  static LazyInit get() {
    if (registry == null) registry = new LazyInit(); // bug
    return registry;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> get().names.add("a"));
    Thread b =
        new Thread(
            () -> {
              pause(30);
              get().names.add("b");
            });
    a.start();
    b.start();
    a.join();
    b.join();
    if (get().names.size() != 2) throw new AssertionError("names: " + get().names);
    System.out.println("2 names");
  }
}
