/** A row that comes during a write goes into the next batch. Fails when that is written first. With the argument `right` it does not. */
public class Batches {
  static boolean right;
  static int writing, last;

  static synchronized int get(String name) {
    return switch (name) {
      case "writing" -> writing;
      case "last" -> last;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "writing" -> writing = value;
      case "last" -> last = value;
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

  static void writer() {
    set("writing", 1);
    if (get("last") > 1) fail("written out of order");
    set("last", 1);
    set("writing", 0);
  }

  static void adder() {
    pause(300);
    if (get("writing") == 1) set("last", 2);
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Batches::writer,
            Batches::adder
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
