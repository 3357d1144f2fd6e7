/*
 * The state of a game is an immutable object behind an AtomicReference.
 * Right: `updateAndGet`.
 */
import java.util.concurrent.atomic.AtomicReference;

public class Snapshot {
  static class State {
    final int lives;
    final int coins;

    State(int lives, int coins) {
      this.lives = lives;
      this.coins = coins;
    }
  }

  private static final AtomicReference<State> state = new AtomicReference<>(new State(3, 0));

  static void coin() {
    state.updateAndGet(old -> new State(old.lives, old.coins + 1));
  }

  static void hit() {
    state.updateAndGet(old -> new State(old.lives - 1, old.coins));
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
              hit();
            });
    other.start();
    coin();
    other.join();
    State end = state.get();
    if (end.lives != 2 || end.coins != 1) throw new AssertionError(end.lives + " lives, " + end.coins + " coins");
    System.out.println("2 lives, 1 coin");
  }
}
