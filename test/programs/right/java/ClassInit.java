/*
 * Two classes that need each other while they are initialised.
 * Right: main initialises the first class before there is a second thread.
 */
public class ClassInit {
  static class Units {
    static final int METRE = Integer.parseInt("1000");
    static final int INCH = Tables.PER_INCH * METRE;
  }

  static class Tables {
    static final int PER_INCH = Integer.parseInt("25");
    static final int MILE = Units.METRE * 1609;
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    int metre = Units.METRE;
    int[] seen = new int[2];
    Thread a = new Thread(() -> seen[0] = Units.METRE);
    Thread b =
        new Thread(
            () -> {
              pause(60);
              seen[1] = Tables.PER_INCH;
            });
    a.start();
    b.start();
    a.join();
    b.join();
    System.out.println(seen[0] + " and " + seen[1]);
  }
}
