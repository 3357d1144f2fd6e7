/*
 * A thread uses a template that main loads; nobody waits for the thread.
 * Wrong: main may load it later. The thread then ends by an exception, and the exit code is 0 all the same.
 */
// expects: data-race, order-violation, atomicity at template
public class UncaughtThread {
  private static String template;

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread thread =
        new Thread(
            () -> {
              pause(50);
              System.out.println(template.length() + " letters"); // bug
            });
    thread.start();
    template = "dear"; // bug
  }
}
