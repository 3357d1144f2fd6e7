/*
 * Peterson's algorithm with volatile fields keeps two threads apart.
 */
public class Peterson {
  private static volatile boolean wants0;
  private static volatile boolean wants1;
  private static volatile int last;
  private static int count;

  static void run(int me) {
    for (int i = 0; i < 2; i++) {
      if (me == 0) wants0 = true;
      else wants1 = true;
      last = me;
      while ((me == 0 ? wants1 : wants0) && last == me) Thread.yield();
      count++;
      if (me == 0) wants0 = false;
      else wants1 = false;
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other = new Thread(() -> run(1));
    other.start();
    run(0);
    other.join();
    if (count != 4) throw new AssertionError("count " + count);
    System.out.println("count 4");
  }
}
