/** The same with a lock. */
public class Right {
  static int count;

  static synchronized void add() {
    count++;
  }

  public static void main(String[] args) throws InterruptedException {
    Thread a = new Thread(Right::add);
    Thread b = new Thread(Right::add);
    a.start();
    b.start();
    a.join();
    b.join();
    if (count != 2) throw new IllegalStateException("count is " + count);
    System.out.println("two");
  }
}
