/*
 * A stack of free buffers, changed by compare-and-set.
 * Right: the head has a stamp that counts every change.
 */
import java.util.concurrent.atomic.AtomicReference;

public class AbaStack {
  static class Node {
    volatile Node next;
    volatile boolean used;

    Node(Node next) {
      this.next = next;
    }
  }

  static class Head {
    final Node node;

    Head(Node node) {
      this.node = node;
    }
  }

  private static final AtomicReference<Head> head = new AtomicReference<>(new Head(null));

  static Node take() {
    for (;;) {
      Head seen = head.get();
      Node first = seen.node;
      Node rest = first.next;
      if (!head.compareAndSet(seen, new Head(rest))) continue;
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
    for (int i = 0; i < 4; i++) give(new Node(null));
    Thread other =
        new Thread(
            () -> {
              pause(30);
              Node a = take();
              take();
              give(a);
            });
    other.start();
    take();
    take();
    other.join();
    System.out.println("buffers are used once");
  }
}
