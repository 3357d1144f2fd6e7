/** A reader that finds a refresh under way waits for its token. Fails when the session has ended in between. With the argument `right` it does not. */
public class Refresh {
  static boolean right;
  static int refreshing, ended;

  static synchronized int get(String name) {
    return switch (name) {
      case "refreshing" -> refreshing;
      case "ended" -> ended;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "refreshing" -> refreshing = value;
      case "ended" -> ended = value;
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

  static void refresher() {
    set("refreshing", 1);
    set("refreshing", 0);
  }

  static void reader() {
    pause(150);
    if (get("refreshing") == 1 && get("ended") == 1) fail("the session ended under a request");
  }

  static void closer() {
    pause(400);
    set("ended", 1);
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Refresh::refresher,
            Refresh::reader,
            Refresh::closer
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
