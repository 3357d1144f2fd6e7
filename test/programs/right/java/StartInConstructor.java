/*
 * An object starts a thread that works with it.
 * Right: it is started by a method that is called afterwards.
 */
public class StartInConstructor {
  private String name;
  private final Thread thread;

  StartInConstructor() {
    thread = new Thread(this::work);
    name = "worker";
  }

  void work() {
    pause(40);
    System.out.println("a name of " + name.length());
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    StartInConstructor all = new StartInConstructor();
    all.thread.start();
    all.thread.join();
  }
}
