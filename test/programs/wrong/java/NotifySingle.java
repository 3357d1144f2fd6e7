/*
 * Two producers and two consumers share a mailbox with room for one message.
 * Wrong: notify wakes one of all that wait. It may wake another producer, which waits again, and the consumer sleeps for ever.
 */
// expects: deadlock, order-violation
public class NotifySingle {
  static class Mailbox {
    private String message;

    synchronized void send(String text) throws InterruptedException {
      while (message != null) wait(); // bug
      message = text;
      notify(); // bug
    }

    synchronized String receive() throws InterruptedException {
      while (message == null) wait(); // bug
      String text = message;
      message = null;
      notify(); // bug
      return text;
    }
  }

  interface Work {
    void run() throws InterruptedException;
  }

  static Thread twice(Work work) {
    return new Thread(
        () -> {
          try {
            for (int i = 0; i < 2; i++) work.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  public static void main(String[] args) throws InterruptedException {
    Mailbox box = new Mailbox();
    Thread[] threads = {
      twice(() -> box.send("a")), twice(box::receive), twice(() -> box.send("b")), twice(box::receive),
    };
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println("All received.");
  }
}
