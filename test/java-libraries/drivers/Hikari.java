import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Four threads share two pooled connections. */
public class Hikari {
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 50;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(2);
    AtomicInteger sum = new AtomicInteger();
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Thread[] threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        threads[t] = new Thread(() -> {
          for (int i = 0; i < rounds; i++) {
            try (Connection c = pool.getConnection(); Statement s = c.createStatement(); ResultSet rows = s.executeQuery("SELECT 1")) {
              rows.next();
              sum.addAndGet(rows.getInt(1));
            } catch (Exception e) {
              throw new RuntimeException(e);
            }
          }
        });
        threads[t].start();
      }
      for (Thread thread : threads) thread.join();
    }
    System.out.println("sum " + sum.get());
  }
}
