/*
 * A stack of free buffers, changed by compare-and-set.
 * Right: the head is another object after every change.
 */
import java.util.concurrent.atomic.AtomicReference;

public class AbaStack {
  static class Node {
    Node next;
    boolean used;
  }

  static class Head {
    final Node node;
    final Node next;

    Head(Node node) {
      this.node = node;
      next = node == null ? null : node.next;
    }
  }

  private static final AtomicReference<Head> head = new AtomicReference<>(new Head(null));

  static Node take() {
    for (;;) {
      Head seen = head.get();
      Node first = seen.node;
      if (!head.compareAndSet(seen, new Head(seen.next))) continue;
      if (first.used) throw new IllegalStateException("a buffer has two users");
      first.used = true;
      return first;
    }
  }

  static void give(Node node) {
    node.used = false;
    for (;;) {
      Head seen = head.get();
      node.next = seen.node;
      if (head.compareAndSet(seen, new Head(node))) return;
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
