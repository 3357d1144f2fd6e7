/*
 * A client and a server in one process, over a socket.
 */
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

public class Sockets {
  private static volatile int served;

  public static void main(String[] args) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread serving =
          new Thread(
              () -> {
                try (Socket client = server.accept()) {
                  served = client.getInputStream().read();
                  client.getOutputStream().write(served + 1);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      serving.start();
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.getOutputStream().write(41);
        int answer = socket.getInputStream().read();
        serving.join();
        System.out.println(served + " and " + answer);
      }
    }
  }
}
