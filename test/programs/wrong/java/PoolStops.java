/*
 * A server hands requests to its pool until it is stopped.
 * Wrong: between the look at the flag and the hand-over the pool may be shut down.
 */
// expects: property, order-violation, atomicity, data-race, typestate
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolStops {
  static class Server {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean stopped;

    void accept() {
      if (stopped) return; // bug
      pool.execute(done::incrementAndGet); // bug
    }

    void stop() throws InterruptedException {
      stopped = true; // bug
      pool.shutdown(); // bug
      pool.awaitTermination(1, TimeUnit.MINUTES);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Server server = new Server();
    Thread client =
        new Thread(
            () -> {
              for (int i = 0; i < 4; i++) server.accept();
            });
    client.start();
    Thread.sleep(30);
    server.stop();
    client.join();
    System.out.println("Stopped.");
  }
}
