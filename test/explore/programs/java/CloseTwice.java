/** A connection that was idle is closed in the background. Fails when its user comes back before that is through. With the argument `right` it does not. */
public class CloseTwice {
  static boolean right;
  static int used, idle, closed;

  static synchronized int get(String name) {
    return switch (name) {
      case "used" -> used;
      case "idle" -> idle;
      case "closed" -> closed;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "used" -> used = value;
      case "idle" -> idle = value;
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

  static void user() {
    if (get("idle") == 1 && get("closed") == 0) fail("used while it was being closed");
    set("used", 1);
  }

  static void idleCheck() {
    pause(300);
    if (get("used") == 0) {
      set("idle", 1);
      set("closed", 1);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            CloseTwice::user,
            CloseTwice::idleCheck
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
