/*
 * Settings are read when they are first needed.
 * Right: one thread at a time looks and makes them.
 */
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class LazyPair {
  static class Settings {
    private static Settings only;
    final String language;

    private Settings(String language) {
      this.language = language;
    }

    static synchronized Settings get() {
      if (only == null) only = new Settings("en");
      return only;
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Callable<Settings> ask = Settings::get;
    Future<Settings> first = pool.submit(ask);
    Future<Settings> second = pool.submit(ask);
    boolean same = first.get() == second.get();
    pool.shutdown();
    if (!same) throw new IllegalStateException("two sets of settings");
    System.out.println("One set of settings.");
  }
}
