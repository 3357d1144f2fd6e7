/*
 * Visits by hour in a volatile array.
 * Wrong: only the reference is volatile. Counting an element is a read and a write.
 */
// expects: data-race, atomicity, order-violation
public class VolatileArray {
  private static volatile int[] hours = new int[24];

  static void visit(int hour) {
    hours[hour]++; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(30);
              visit(9);
            });
    other.start();
    visit(9);
    other.join();
    int seen = hours[9];
    if (seen != 2) throw new AssertionError("visits " + seen);
    System.out.println("2 visits");
  }
}
