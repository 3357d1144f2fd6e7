/*
 * Two cooks take dishes from a shelf; a cook who finds none waits until one is put there.
 * Right: `while`.
 */
import java.util.ArrayDeque;

public class IfWait {
  private static final Object lock = new Object();
  private static final ArrayDeque<String> shelf = new ArrayDeque<>();

  static void cook(int delay) {
    pause(delay);
    synchronized (lock) {
      try {
        while (shelf.isEmpty()) lock.wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      shelf.removeFirst();
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(() -> cook(0));
    Thread b = new Thread(() -> cook(140));
    a.start();
    b.start();
    for (int i = 0; i < 2; i++) {
      pause(50);
      synchronized (lock) {
        shelf.addLast("dish");
        lock.notify();
      }
    }
    a.join();
    b.join();
    System.out.println(shelf.size() + " dishes are left");
  }
}
