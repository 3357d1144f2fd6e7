/*
 * A class whose initialisation throws: every thread that uses it gets an error, and goes on without it.
 */
public class FailedInit {
  static class Driver {
    static final int PORT = Integer.parseInt("none");
  }

  static String port() {
    try {
      return "port " + Driver.PORT;
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      return "no port";
    }
  }

  public static void main(String[] args) throws Exception {
    String[] seen = new String[1];
    Thread other = new Thread(() -> seen[0] = port());
    other.start();
    String mine = port();
    other.join();
    System.out.println(mine + ", " + seen[0]);
  }
}
