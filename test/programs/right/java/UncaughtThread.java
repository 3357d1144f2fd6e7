/*
 * A thread uses a template that main loads; nobody waits for the thread.
 * Right: the template is loaded before the thread is started.
 */
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
    template = "dear";
    Thread thread =
        new Thread(
            () -> {
              pause(50);
              System.out.println(template.length() + " letters");
            });
    thread.start();
  }
}
