/** An owner that is asked to stop before it has saved does so in its own time. Fails when the next owner does not wait for that. With the argument `right` it does not. */
public class Handover {
  static boolean right;
  static int stopping, saved, late;

  static synchronized int get(String name) {
    return switch (name) {
      case "stopping" -> stopping;
      case "saved" -> saved;
      case "late" -> late;
      default -> throw new IllegalArgumentException(name);
    };
  }

  static synchronized void set(String name, int value) {
    switch (name) {
      case "stopping" -> stopping = value;
      case "saved" -> saved = value;
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

  static void oldOwner() {
    if (get("stopping") == 1) set("late", 1);
    set("saved", 1);
  }

  static void newOwner() {
    pause(300);
    set("stopping", 1);
    boolean seenLate = get("late") == 1;
    if (seenLate && get("saved") == 0) fail("taken over before it was saved");
  }

  public static void main(String[] args) throws InterruptedException {
    right = args.length > 0;
    Runnable[] runs = {
            Handover::oldOwner,
            Handover::newOwner
    };
    Thread[] threads = new Thread[runs.length];
    for (int i = 0; i < runs.length; i++) (threads[i] = new Thread(runs[i])).start();
    for (Thread thread : threads) thread.join();
    System.out.println("done");
  }
}
