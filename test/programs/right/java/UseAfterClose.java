/*
 * A thread sends over a connection that main closes.
 * Right: look, sending and closing are sections of one lock.
 */
public class UseAfterClose {
  private StringBuilder buffer = new StringBuilder();
  private boolean open = true;

  synchronized void send(String text) {
    if (!open) return;
    buffer.append(text);
  }

  synchronized void close() {
    open = false;
    buffer = null;
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
