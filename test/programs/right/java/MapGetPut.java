/*
 * A ConcurrentHashMap of points by player.
 * Right: `merge`.
 */
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class MapGetPut {
  private static final Map<String, Integer> points = new ConcurrentHashMap<>();

  static void score(String player, int n) {
    points.merge(player, n, Integer::sum);
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
              score("ada", 2);
            });
    other.start();
    score("ada", 3);
    other.join();
    if (points.get("ada") != 5) throw new AssertionError("points " + points);
    System.out.println("5 points");
  }
}
