/*
 * Requests in a pool; the user of a request is in a ThreadLocal, and is removed at its end.
 */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ThreadLocalUser {
  private static final ThreadLocal<String> user = new ThreadLocal<>();

  static String request(String name) {
    if (name != null) user.set(name);
    try {
      return String.valueOf(user.get());
    } finally {
      user.remove();
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<String> a = pool.submit(() -> request("ada"));
    Future<String> b = pool.submit(() -> request("bo"));
    Future<String> c = pool.submit(() -> request(null));
    String all = a.get() + " " + b.get() + " " + c.get();
    pool.shutdown();
    if (!all.equals("ada bo null")) throw new AssertionError(all);
    System.out.println(all);
  }
}
