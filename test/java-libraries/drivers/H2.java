import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** Two connections to one database in memory, each in its own thread. */
public class H2 {
  static void run(String url, String driver, int rounds) throws Exception {
    Class.forName(driver);
    try (Connection first = DriverManager.getConnection(url)) {
      try (Statement make = first.createStatement()) {
        make.execute("CREATE TABLE items (id INT PRIMARY KEY, owner INT, name VARCHAR(40))");
      }
      Thread[] threads = new Thread[2];
      for (int t = 0; t < threads.length; t++) {
        int own = t;
        threads[t] = new Thread(() -> {
          try (Connection c = DriverManager.getConnection(url.replace(";create=true", ""))) {
            for (int i = 0; i < rounds; i++) {
              try (PreparedStatement insert = c.prepareStatement("INSERT INTO items VALUES (?, ?, ?)")) {
                insert.setInt(1, own * 100_000 + i);
                insert.setInt(2, own);
                insert.setString(3, "name " + i);
                insert.executeUpdate();
              }
            }
          } catch (Exception e) {
            throw new RuntimeException(e);
          }
        });
        threads[t].start();
      }
      for (Thread thread : threads) thread.join();
      try (Statement read = first.createStatement(); ResultSet rows = read.executeQuery("SELECT COUNT(*), SUM(owner) FROM items")) {
        rows.next();
        System.out.println("rows " + rows.getInt(1) + ", owners " + rows.getInt(2));
      }
    }
  }

  public static void main(String[] args) throws Exception {
    run("jdbc:h2:mem:test;DB_CLOSE_DELAY=-1", "org.h2.Driver", args.length > 0 ? Integer.parseInt(args[0]) : 100);
  }
}
