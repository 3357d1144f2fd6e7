/*
 * Two threads exchange what they have.
 */
import java.util.concurrent.Exchanger;

public class Exchange {
  private static final Exchanger<String> exchanger = new Exchanger<>();
  private static String got;

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              try {
                got = exchanger.exchange("apple");
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    other.start();
    String mine = exchanger.exchange("pear");
    other.join();
    if (!mine.equals("apple") || !got.equals("pear")) throw new AssertionError(mine + " and " + got);
    System.out.println("exchanged");
  }
}
