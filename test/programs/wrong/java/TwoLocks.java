/*
 * A stock that one side fills and the other side empties.
 * Wrong: each side has a lock of its own, so the two are not kept apart.
 */
// expects: data-race, atomicity, order-violation at stock
public class TwoLocks {
  private final Object filling = new Object();
  private final Object emptying = new Object();
  private int stock = 10;

  void fill(int n) {
    synchronized (filling) {
      stock += n; // bug
    }
  }

  void empty(int n) {
    synchronized (emptying) {
      stock -= n; // bug
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
    TwoLocks shop = new TwoLocks();
    Thread buyer =
        new Thread(
            () -> {
              pause(30);
              shop.empty(3);
            });
    buyer.start();
    shop.fill(5);
    buyer.join();
    if (shop.stock != 12) throw new AssertionError("stock " + shop.stock);
    System.out.println("stock 12");
  }
}
