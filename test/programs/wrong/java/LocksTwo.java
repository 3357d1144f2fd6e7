/*
 * Transfers between two accounts, each with its monitor.
 * Wrong: the account that pays is locked first. Two transfers in opposite directions wait for each other.
 */
// expects: deadlock
public class LocksTwo {
  private final int number;
  private long money = 100;

  LocksTwo(int number) {
    this.number = number;
  }

  static void transfer(LocksTwo from, LocksTwo to, long amount) {
    synchronized (from) { // bug
      synchronized (to) { // bug
        from.money -= amount;
        to.money += amount;
      }
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
    LocksTwo a = new LocksTwo(1);
    LocksTwo b = new LocksTwo(2);
    Thread rent = new Thread(() -> transfer(a, b, 70));
    Thread salary =
        new Thread(
            () -> {
              pause(30);
              transfer(b, a, 30);
            });
    rent.start();
    salary.start();
    rent.join();
    salary.join();
    System.out.println(a.money + " and " + b.money);
  }
}
