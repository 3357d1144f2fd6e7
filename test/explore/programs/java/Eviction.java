/** A sweep evicts what was loaded while it ran. Fails when a reader comes back to it. With the argument `right` it does not. */
public class Eviction {
  static boolean right;
  static int sweeping, entry, late;

  static synchronized int get(String name) {
    return switch (name) {
      case "sweeping" -> sweeping;
      case "entry" -> entry;
      case "late" -> late;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "sweeping" -> sweeping = value;
      case "entry" -> entry = value;
      case "late" -> late = value;
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

  static void reader() {
    int during = get("sweeping");
    set("entry", 1);
    if (during == 1) {
      set("late", 1);
      if (get("entry") == 0) fail("evicted under its reader");
    }
  }

  static void sweeper() {
    pause(300);
    set("sweeping", 1);
    if (get("late") == 1) set("entry", 0);
    set("sweeping", 0);
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Eviction::reader,
            Eviction::sweeper
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
