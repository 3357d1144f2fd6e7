/*
 * Double-checked locking around the settings of a program.
 * Wrong: the settings are published before they are filled in, so the look without the lock may find them half made.
 */
// expects: data-race, atomicity, order-violation
public class DoubleChecked {
  private static volatile DoubleChecked settings;
  private String host;

  static DoubleChecked get() {
    if (settings == null) {
      synchronized (DoubleChecked.class) {
        if (settings == null) {
          settings = new DoubleChecked(); // bug
          settings.host = "localhost"; // bug
        }
      }
    }
    return settings;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(30);
              System.out.println("host of " + get().host.length()); // bug
            });
    other.start();
    get();
    other.join();
  }
}
