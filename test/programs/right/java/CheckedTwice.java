/*
 * A catalogue that is made when it is first asked for, with double-checked locking.
 * Right: the field is volatile, and is set when everything is in it.
 */
import java.util.ArrayList;
import java.util.List;

public class CheckedTwice {
  static class Catalogue {
    private static volatile Catalogue instance;
    private final List<String> names = new ArrayList<>();
    private String[] sorted;

    static Catalogue get() {
      if (instance == null) {
        synchronized (Catalogue.class) {
          if (instance == null) {
            Catalogue made = new Catalogue();
            made.load();
            instance = made;
          }
        }
      }
      return instance;
    }

    private void load() {
      names.add("pear");
      names.add("apple");
      names.add("fig");
      String[] all = names.toArray(new String[0]);
      java.util.Arrays.sort(all);
      sorted = all;
    }

    String first() {
      return sorted[0];
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
