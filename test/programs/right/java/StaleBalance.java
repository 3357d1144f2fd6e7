/*
 * An account with a lock: two clerks take money out, and nobody may take more than there is.
 * Right: look and withdrawal are one section.
 */
public class StaleBalance {
  private int balance = 100;

  synchronized int balance() {
    return balance;
  }

  synchronized void take(int amount) {
    balance -= amount;
    if (balance < 0) throw new IllegalStateException("overdrawn: " + balance);
  }

  synchronized void withdraw(int amount) {
    if (balance() >= amount) take(amount);
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
