/*
 * Sessions by user in a ConcurrentHashMap.
 * Right: who comes second works with the session that is there.
 */
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
    Session session = sessions.get(user);
    if (session == null) {
      session = new Session();
      Session there = sessions.putIfAbsent(user, session);
      if (there != null) session = there;
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
