/*
 * Two threads talk through a pipe, whose monitor is inside the JDK.
 */
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

public class Pipes {
  public static void main(String[] args) throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out, 2);
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int i = 1; i <= 5; i++) out.write(i);
                out.close();
              } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
              }
            });
    writer.start();
    int sum = 0;
    for (int b = in.read(); b >= 0; b = in.read()) sum += b;
    writer.join();
    System.out.println("sum " + sum);
  }
}
