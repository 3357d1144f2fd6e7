/*
 * An object starts a thread that works with it.
 * Wrong: the thread is started in the constructor, before all fields are set.
 */
// expects: data-race, order-violation, atomicity at name
public class StartInConstructor {
  private String name;
  private final Thread thread;

  StartInConstructor() {
    thread = new Thread(this::work);
    thread.start();
    name = "worker"; // bug
  }

  void work() {
    pause(40);
    System.out.println("a name of " + name.length()); // bug
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
    all.thread.join();
  }
}
