import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.Random;

/** What it does depends on clocks and on random numbers; and an update is lost in some orders. */
public class Times {
  static int count;

  /** As many steps as the clocks and the numbers say. */
  static void steps() {
    long bits = System.nanoTime() ^ System.currentTimeMillis() ^ Instant.now().getNano() / 1000 ^ LocalDateTime.now().getNano() / 1000 ^ new Date().getTime();
    bits ^= new Random().nextInt() ^ (long) (Math.random() * 1e9);
    int[] own = new int[1];
    for (long n = bits & 63; n > 0; n--) own[0]++;
  }

  static void add() {
    steps();
    count++;
    steps();
  }

  public static void main(String[] args) throws InterruptedException {
    steps();
    Thread[] threads = {new Thread(Times::add), new Thread(Times::add)};
    for (Thread thread : threads) {
      thread.start();
      Thread.sleep(200);
    }
    for (Thread thread : threads) thread.join();
    if (count != 2) throw new IllegalStateException("count is " + count);
    System.out.println("two");
  }
}
