/*
 * A thread moves a point along the diagonal; main looks where it is.
 * Right: both are read and written under one lock.
 */
public class TornPoint {
  private int x;
  private int y;

  synchronized void move(int n) {
    x = n;
    y = n;
  }

  synchronized boolean onDiagonal() {
    return x == y;
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
