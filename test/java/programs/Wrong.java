/** Two threads add to a number without a lock. */
public class Wrong {
  static int count;

  public static void main(String[] args) throws InterruptedException {
    Thread a = new Thread(() -> count++);
    Thread b = new Thread(() -> count++);
    a.start();
    b.start();
    a.join();
    b.join();
    if (count != 2) throw new IllegalStateException("count is " + count);
    System.out.println("two");
  }
}
