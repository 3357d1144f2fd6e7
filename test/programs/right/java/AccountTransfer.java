/*
 * Tellers move money between the accounts of a bank; at the end the sum must be what it was.
 * Right: whoever changes an account has its lock, one account at a time; the sum is looked at when all are done.
 */
import java.util.ArrayList;
import java.util.List;

public class AccountTransfer {
  static class Account {
    final int number;
    private int balance;

    Account(int number, int balance) {
      this.number = number;
      this.balance = balance;
    }

    synchronized boolean withdraw(int amount) {
      if (balance < amount) return false;
      balance -= amount;
      return true;
    }

    synchronized void deposit(int amount) {
      balance += amount;
    }

    synchronized int balance() {
      return balance;
    }
  }

  static class Teller extends Thread {
    private final Account from;
    private final Account to;

    Teller(Account from, Account to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void run() {
      for (int i = 1; i <= 5; i++) if (from.withdraw(i)) to.deposit(i);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Account[] accounts = new Account[4];
    for (int i = 0; i < accounts.length; i++) accounts[i] = new Account(i, 100);
    List<Teller> tellers = new ArrayList<>();
    for (int i = 0; i < 3; i++) tellers.add(new Teller(accounts[i], accounts[3]));
    for (Teller teller : tellers) teller.start();
    for (Teller teller : tellers) teller.join();
    int sum = 0;
    for (Account account : accounts) sum += account.balance();
    if (sum != 400) throw new AssertionError("the bank had 400, and has " + sum);
    System.out.println("The bank has " + sum + ".");
  }
}
