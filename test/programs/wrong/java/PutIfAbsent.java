/*
 * Sessions by user in a ConcurrentHashMap.
 * Wrong: the result of `putIfAbsent` is ignored. Who comes second works with a session that is in no map.
 */
// expects: atomicity, order-violation, data-race, property, typestate
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

public class PutIfAbsent {
  static class Session {
    int requests;

    synchronized void request() {
      requests++;
    }
  }

  private static final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();

  static void request(String user) {
    Session session = sessions.get(user); // bug
    if (session == null) {
      session = new Session();
      sessions.putIfAbsent(user, session); // bug
    }
    session.request();
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread other =
        new Thread(
            () -> {
              pause(30);
              request("ada");
            });
    other.start();
    request("ada");
    other.join();
    if (sessions.get("ada").requests != 2) throw new AssertionError("requests " + sessions.get("ada").requests);
    System.out.println("2 requests");
  }
}
