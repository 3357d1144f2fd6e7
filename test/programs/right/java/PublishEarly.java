/*
 * A loader hands a table to a thread that waits for it.
 * Right: a volatile reference, written last.
 */
public class PublishEarly {
  private static volatile int[] table;

  static void load() {
    int[] rows = new int[3];
    for (int i = 0; i < rows.length; i++) rows[i] = 10 + i;
    table = rows;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread loader = new Thread(PublishEarly::load);
    loader.start();
    pause(80);
    int[] seen = table;
    int last = seen == null ? 12 : seen[2];
    loader.join();
    if (last != 12) throw new AssertionError("row " + last);
    System.out.println("loaded");
  }
}
