/*
 * Two classes that need each other while they are initialised.
 * Wrong: two threads that begin with one class each wait for each other for ever.
 */
// expects: deadlock, order-violation
public class ClassInit {
  static class Units {
    static final int METRE = Integer.parseInt("1000");
    static final int INCH = Tables.PER_INCH * METRE; // bug
  }

  static class Tables {
    static final int PER_INCH = Integer.parseInt("25"); // bug
    static final int MILE = Units.METRE * 1609; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    int[] seen = new int[2];
    Thread a = new Thread(() -> seen[0] = Units.METRE); // bug
    Thread b =
        new Thread(
            () -> {
              pause(60);
              seen[1] = Tables.PER_INCH; // bug
            });
    a.start();
    b.start();
    a.join();
    b.join();
    System.out.println(seen[0] + " and " + seen[1]);
  }
}
