/*
 * A stack of free buffers, changed by compare-and-set.
 * Wrong: a node that is taken, used and given back looks as if nothing had happened (ABA). Then the stack begins with a node that is in use.
 */
// expects: atomicity, order-violation, data-race
import java.util.concurrent.atomic.AtomicReference;

public class AbaStack {
  static class Node {
    Node next;
    boolean used;
  }

  private static final AtomicReference<Node> head = new AtomicReference<>();

  static Node take() {
    for (;;) {
      Node first = head.get(); // bug
      Node rest = first.next; // bug
      if (!head.compareAndSet(first, rest)) continue; // bug
      if (first.used) throw new IllegalStateException("a buffer has two users");
      first.used = true;
      return first;
    }
  }

  static void give(Node node) {
    node.used = false;
    for (;;) {
      Node first = head.get();
      node.next = first; // bug
      if (head.compareAndSet(first, node)) return; // bug
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
    for (int i = 0; i < 4; i++) give(new Node());
    Thread other =
        new Thread(
            () -> {
              Node first = take();
              take();
              give(first);
            });
    other.start();
    pause(40);
    take();
    take();
    other.join();
    System.out.println("buffers are used once");
  }
}
