/*
 * A worker and main swap a full page for an empty one.
 */
import java.util.concurrent.Exchanger;

public class ExchangedPage {
  private static final Exchanger<int[]> desk = new Exchanger<>();

  static void write() {
    int[] page = new int[2];
    page[0] = 1;
    page[1] = 2;
    swap(page);
  }

  static int[] swap(int[] page) {
    try {
      return desk.exchange(page);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread worker = new Thread(ExchangedPage::write);
    worker.start();
    int[] page = swap(new int[2]);
    pause(40);
    int lines = page[0] + page[1];
    worker.join();
    if (lines != 3) throw new AssertionError("lines " + lines);
    System.out.println("lines 3");
  }
}
