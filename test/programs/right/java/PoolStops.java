/*
 * A server hands requests to its pool until it is stopped.
 * Right: the look and the hand-over are one step, and so is stopping.
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolStops {
  static class Server {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean stopped;

    synchronized void accept() {
      if (stopped) return;
      pool.execute(done::incrementAndGet);
    }

    void stop() throws InterruptedException {
      synchronized (this) {
        stopped = true;
        pool.shutdown();
      }
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
