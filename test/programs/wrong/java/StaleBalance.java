/*
 * An account with a lock: two clerks take money out, and nobody may take more than there is.
 * Wrong: the look at the balance and the withdrawal are two sections. Both clerks may see enough money.
 */
// expects: atomicity, order-violation at balance
public class StaleBalance {
  private int balance = 100;

  synchronized int balance() {
    return balance; // bug
  }

  synchronized void take(int amount) {
    balance -= amount; // bug
    if (balance < 0) throw new IllegalStateException("overdrawn: " + balance);
  }

  void withdraw(int amount) {
    if (balance() >= amount) take(amount); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    StaleBalance account = new StaleBalance();
    Thread other =
        new Thread(
            () -> {
              pause(30);
              account.withdraw(70);
            });
    other.start();
    account.withdraw(70);
    other.join();
    if (account.balance() != 30) throw new AssertionError("balance " + account.balance());
    System.out.println("balance 30");
  }
}
