/** Who finds an old claim leads in the place of its owner. Fails when the owner comes back and leads, too. With the argument `right` it does not. */
public class Election {
  static boolean right;
  static int claimed, leader;

  static synchronized int get(String name) {
    return switch (name) {
      case "claimed" -> claimed;
      case "leader" -> leader;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "claimed" -> claimed = value;
      case "leader" -> leader = value;
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

  static void first() {
    set("claimed", 1);
    if (get("leader") == 2) {
      fail("two leaders");
      return;
    }
    set("leader", 1);
  }

  static void second() {
    pause(300);
    if (get("leader") == 0 && get("claimed") == 1) set("leader", 2);
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Election::first,
            Election::second
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
