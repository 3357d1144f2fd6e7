import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** A server and its clients in one process. */
public class Jetty {
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 40;
    AtomicInteger hits = new AtomicInteger();
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new AbstractHandler() {
      @Override
      public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response) throws IOException {
        hits.incrementAndGet();
        response.setStatus(200);
        response.getWriter().print("hello " + target);
        base.setHandled(true);
      }
    });
    server.start();
    HttpClient client = HttpClient.newHttpClient();
    String at = "http://127.0.0.1:" + connector.getLocalPort() + "/";
    AtomicInteger right = new AtomicInteger();
    Thread[] threads = new Thread[2];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < rounds; i++) {
          try {
            HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create(at + i)).build(), HttpResponse.BodyHandlers.ofString());
            if (response.body().equals("hello /" + i)) right.incrementAndGet();
          } catch (Exception e) {
            throw new RuntimeException(e);
          }
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) thread.join();
    server.stop();
    System.out.println("hits " + hits.get() + ", right " + right.get());
  }
}
