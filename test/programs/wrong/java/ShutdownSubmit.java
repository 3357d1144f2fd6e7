/*
 * A thread hands jobs to a pool that main shuts down at the end.
 * Wrong: main does not wait for the thread. Its job may come after the shutdown, and is rejected.
 */
// expects: order-violation, atomicity, data-race, property, typestate
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class ShutdownSubmit {
  private static final ExecutorService pool = Executors.newFixedThreadPool(1);

  static void hand() {
    pool.execute(() -> System.out.println("job")); // bug
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread client = new Thread(ShutdownSubmit::hand);
    client.start();
    pause(60);
    pool.shutdown(); // bug
    pool.awaitTermination(10, TimeUnit.SECONDS);
  }
}
