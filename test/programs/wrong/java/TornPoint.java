/*
 * A thread moves a point along the diagonal; main looks where it is.
 * Wrong: the coordinates are two fields without a lock. Main may see a new one and an old one.
 */
// expects: data-race, atomicity, order-violation
public class TornPoint {
  private int x;
  private int y;

  void move(int n) {
    x = n; // bug
    y = n; // bug
  }

  boolean onDiagonal() {
    return x == y; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    TornPoint point = new TornPoint();
    Thread mover = new Thread(() -> point.move(4));
    mover.start();
    pause(30);
    boolean fits = point.onDiagonal();
    mover.join();
    if (!fits) throw new AssertionError("off the diagonal");
    System.out.println("on the diagonal");
  }
}
