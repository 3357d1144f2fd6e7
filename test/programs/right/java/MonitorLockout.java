/*
 * A registry of services, and for each service a signal that it is up.
 * Right: the registry is locked to find a service, and not while anybody waits.
 */
import java.util.HashMap;
import java.util.Map;

public class MonitorLockout {
  static class Service {
    private boolean up;

    synchronized void await() throws InterruptedException {
      while (!up) wait();
    }

    synchronized void announce() {
      up = true;
      notifyAll();
    }
  }

  static class Registry {
    private final Map<String, Service> services = new HashMap<>();

    synchronized void register(String name) {
      services.put(name, new Service());
    }

    private synchronized Service find(String name) {
      return services.get(name);
    }

    void await(String name) throws InterruptedException {
      find(name).await();
    }

    void announce(String name) {
      find(name).announce();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Registry registry = new Registry();
    registry.register("mail");
    Thread mail = new Thread(() -> registry.announce("mail"));
    mail.start();
    Thread.sleep(60);
    registry.await("mail");
    mail.join();
    System.out.println("Mail is up.");
  }
}
