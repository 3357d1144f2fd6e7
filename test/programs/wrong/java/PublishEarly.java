/*
 * A loader hands a table to a thread that waits for it.
 * Wrong: the table is visible before its rows are there.
 */
// expects: data-race, order-violation, atomicity
public class PublishEarly {
  private static int[] table;

  static void load() {
    int[] rows = new int[3];
    table = rows; // bug
    for (int i = 0; i < rows.length; i++) rows[i] = 10 + i; // bug
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
    int[] seen = table; // bug
    int last = seen == null ? 12 : seen[2]; // bug
    loader.join();
    if (last != 12) throw new AssertionError("row " + last);
    System.out.println("loaded");
  }
}
