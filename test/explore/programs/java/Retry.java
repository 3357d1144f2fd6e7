/** A payment is tried again when no answer is seen. Fails when the first try is late and comes after the second was closed. With the argument `right` it does not. */
public class Retry {
  static boolean right;
  static int answered, closed;

  static synchronized int get(String name) {
    return switch (name) {
      case "answered" -> answered;
      case "closed" -> closed;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "answered" -> answered = value;
      case "closed" -> closed = value;
      default -> throw new IllegalArgumentException(name);
    }
  }

  static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void fail(String why) {
    if (right) return;
    System.err.println(why);
    Runtime.getRuntime().halt(3);
  }

  static void firstTry() {
    if (get("closed") == 1) {
      fail("booked after it was closed");
      return;
    }
    set("answered", 1);
  }

  static void watcher() {
    pause(300);
    if (get("answered") == 0) {
      set("answered", 2);
      set("closed", 1);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Retry::firstTry,
            Retry::watcher
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
