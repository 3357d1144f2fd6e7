/** Two clerks look how many parts are left, and take one if there is. There is one. */
public class Stock {
  private int left = 1;
  private int taken = 0;

  private void take() {
    if (left > 0) {
      left--;
      taken++;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Stock stock = new Stock();
    Thread ann = new Thread(stock::take);
    Thread bob = new Thread(stock::take);
    ann.start();
    bob.start();
    ann.join();
    bob.join();
    if (stock.taken != 1) throw new IllegalStateException(stock.taken + " taken, and there was one");
    System.out.println("One part was taken.");
  }
}
