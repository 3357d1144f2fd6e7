/*
 * Two threads add the names of guests to an ArrayList, each name once.
 * Wrong: nobody keeps them apart: both may see that a name is missing.
 */
// expects: data-race, atomicity, order-violation, property, typestate
import java.util.ArrayList;
import java.util.List;

public class SharedList {
  private static final List<String> guests = new ArrayList<>();

  static void invite(String name) {
    if (!guests.contains(name)) guests.add(name); // bug
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
              invite("bo");
            });
    other.start();
    invite("bo");
    other.join();
    if (guests.size() != 1) throw new AssertionError("guests " + guests);
    System.out.println("1 guest");
  }
}
