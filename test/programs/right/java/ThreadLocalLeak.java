/*
 * Requests in a pool; the user of a request is in a ThreadLocal.
 * Right: it is removed.
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ThreadLocalLeak {
  private static final ThreadLocal<String> user = new ThreadLocal<>();

  static String request(String name, int ms) {
    if (name != null) user.set(name);
    try {
      pause(ms);
      return user.get();
    } finally {
      user.remove();
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
    Future<String> a = pool.submit(() -> request("ada", 80));
    Future<String> b = pool.submit(() -> request(null, 0));
    String seen = b.get();
    a.get();
    pool.shutdown();
    if (seen != null) throw new AssertionError("the user is " + seen);
    System.out.println("no user");
  }
}
