/*
 * Two tills add what they took in to one total.
 * Wrong: volatile makes the total visible, but adding to it is still a read and a write.
 */
// expects: atomicity, data-race, order-violation at total
public class VolatileTotal {
  private static volatile long total;

  static void till(int delay) {
    pause(delay);
    for (int i = 1; i <= 4; i++) total = total + i * 1_000_000_000L; // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> till(0));
    Thread b = new Thread(() -> till(30));
    a.start();
    b.start();
    a.join();
    b.join();
    long sum = total;
    if (sum != 20_000_000_000L) throw new AssertionError("total " + sum);
    System.out.println("total " + sum);
  }
}
