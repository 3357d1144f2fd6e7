/** A worker that finds the server ready tells it to stop. Fails when a client is still at work then. With the argument `right` it does not. */
public class Shutdown {
  static boolean right;
  static int ready, stopped;

  static synchronized int get(String name) {
    return switch (name) {
      case "ready" -> ready;
      case "stopped" -> stopped;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "ready" -> ready = value;
      case "stopped" -> stopped = value;
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

  static void client() {
    if (get("stopped") == 1) fail("stopped too early");
  }

  static void worker() {
    pause(150);
    if (get("ready") == 1) set("stopped", 1);
  }

  static void server() {
    pause(400);
    set("ready", 1);
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Shutdown::client,
            Shutdown::worker,
            Shutdown::server
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
