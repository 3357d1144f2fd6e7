/*
 * Double-checked locking around the settings of a program.
 * Right: they are published when they are complete.
 */
public class DoubleChecked {
  private static volatile DoubleChecked settings;
  private String host;

  static DoubleChecked get() {
    if (settings == null) {
      synchronized (DoubleChecked.class) {
        if (settings == null) {
          DoubleChecked made = new DoubleChecked();
          made.host = "localhost";
          settings = made;
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
              System.out.println("host of " + get().host.length());
            });
    other.start();
    get();
    other.join();
  }
}
