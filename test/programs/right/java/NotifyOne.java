/*
 * Two workers wait for a gate to open.
 * Right: `notifyAll`.
 */
public class NotifyOne {
  private boolean open;
  private int through;

  synchronized void pass() {
    try {
      while (!open) wait();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    through++;
  }

  synchronized void open() {
    open = true;
    notifyAll();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    NotifyOne gate = new NotifyOne();
    Thread a = new Thread(gate::pass);
    Thread b =
        new Thread(
            () -> {
              pause(100);
              gate.pass();
            });
    a.start();
    b.start();
    pause(40);
    gate.open();
    a.join();
    b.join();
    System.out.println(gate.through + " are through");
  }
}
