/*
 * A thread sends over a connection that main closes.
 * Wrong: the look whether it is open and the sending are not one. It may be closed in between.
 */
// expects: data-race, atomicity, order-violation, property, typestate
public class UseAfterClose {
  private StringBuilder buffer = new StringBuilder();
  private boolean open = true;

  void send(String text) {
    if (!open) return; // bug
    buffer.append(text); // bug
  }

  void close() {
    open = false; // bug
    buffer = null; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    UseAfterClose connection = new UseAfterClose();
    Thread sender = new Thread(() -> connection.send("hello"));
    sender.start();
    pause(30);
    connection.close();
    sender.join();
    System.out.println("closed");
  }
}
