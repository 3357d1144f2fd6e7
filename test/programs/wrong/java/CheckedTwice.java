/*
 * A catalogue that is made when it is first asked for, with double-checked locking.
 * Wrong: the field is neither volatile nor assigned last: it is set before the entries are in it, and the first look is not locked.
 */
// expects: order-violation, data-race, atomicity
import java.util.ArrayList;
import java.util.List;

public class CheckedTwice {
  static class Catalogue {
    private static Catalogue instance;
    private final List<String> names = new ArrayList<>();
    private String[] sorted;

    static Catalogue get() {
      if (instance == null) { // bug
        synchronized (Catalogue.class) {
          if (instance == null) {
            instance = new Catalogue(); // bug
            instance.load();
          }
        }
      }
      return instance; // bug
    }

    private void load() {
      names.add("pear");
      names.add("apple");
      names.add("fig");
      String[] all = names.toArray(new String[0]);
      java.util.Arrays.sort(all);
      sorted = all; // bug
    }

    String first() {
      return sorted[0]; // bug
    }
  }

  public static void main(String[] args) throws InterruptedException {
    String[] seen = new String[2];
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int me = i;
      threads[i] = new Thread(() -> seen[me] = Catalogue.get().first());
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(seen[0] + " " + seen[1]);
  }
}
