/*
 * A daemon thread writes what is logged; main looks at the end how much it was.
 * Wrong: main gives it some time and does not wait for it.
 */
// expects: order-violation, data-race, atomicity at Daemon.written
public class Daemon {
  private static volatile int written;

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread writer =
        new Thread(
            () -> {
              for (int i = 1; i <= 3; i++) written = i; // bug
            });
    writer.setDaemon(true);
    writer.start();
    pause(60);
    int seen = written; // bug
    if (seen != 3) throw new AssertionError("written " + seen);
    System.out.println("3 lines");
  }
}
