/*
 * A registry of services, and for each service a signal that it is up.
 * Wrong: who waits for a service keeps the registry locked, which announcing it needs (nested monitor lockout).
 */
// expects: deadlock, order-violation
import java.util.HashMap;
import java.util.Map;

public class MonitorLockout {
  static class Service {
    private boolean up;

    synchronized void await() throws InterruptedException {
      while (!up) wait(); // bug
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

    synchronized void await(String name) throws InterruptedException {
      services.get(name).await(); // bug
    }

    synchronized void announce(String name) { // bug
      services.get(name).announce();
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
