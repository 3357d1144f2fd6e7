/** The same with Derby. */
public class Derby {
  public static void main(String[] args) throws Exception {
    System.setProperty("derby.stream.error.method", "Derby.nothing");
    H2.run("jdbc:derby:memory:test;create=true", "org.apache.derby.iapi.jdbc.AutoloadedDriver", args.length > 0 ? Integer.parseInt(args[0]) : 60);
  }

  public static java.io.OutputStream nothing() {
    return java.io.OutputStream.nullOutputStream();
  }
}
