/*
 * Requests in a pool; the user of a request is in a ThreadLocal.
 * Wrong: it is not removed at the end. A request without a user that runs in the same thread has that of another one.
 */
// expects: order-violation, atomicity, data-race
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ThreadLocalLeak {
  private static final ThreadLocal<String> user = new ThreadLocal<>();

  static String request(String name, int ms) {
    if (name != null) user.set(name); // bug
    try {
      pause(ms);
      return user.get(); // bug
    } finally {
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<String> a = pool.submit(() -> request("ada", 80)); // bug
    Future<String> b = pool.submit(() -> request(null, 0)); // bug
    String seen = b.get();
    a.get();
    pool.shutdown();
    if (seen != null) throw new AssertionError("the user is " + seen);
    System.out.println("no user");
  }
}
