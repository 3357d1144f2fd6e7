import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Loops of one kind, each in two threads: SHAPE ROUNDS. Prints a number that says that all was done. */
public class Shapes {
  interface Work {
    long run(int own, int rounds);
  }

  static int counter;
  static final ReentrantLock lock = new ReentrantLock();
  static final double[][] left = square();
  static final double[][] right = square();

  static double[][] square() {
    double[][] made = new double[40][40];
    for (int i = 0; i < made.length; i++) for (int k = 0; k < made.length; k++) made[i][k] = (i * 31 + k * 17) % 10;
    return made;
  }

  /** Both threads read the same two matrices, and write one of their own. */
  static long matrix(int own, int rounds) {
    int n = left.length;
    double[][] product = new double[n][n];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
          double sum = 0;
          for (int m = 0; m < n; m++) sum += left[i][m] * right[m][k];
          product[i][k] = sum;
        }
      }
    }
    return (long) product[7][11];
  }

  /** Words of a text are counted. */
  static long parse(int own, int rounds) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 400; i++) text.append("word").append(i % 37).append(i % 5 == 0 ? "\n" : " ");
    char[] all = text.toString().toCharArray();
    long total = 0;
    for (int round = 0; round < rounds; round++) {
      Map<String, Integer> counts = new HashMap<>();
      int begin = 0;
      for (int i = 0; i < all.length; i++) {
        if (all[i] != ' ' && all[i] != '\n') continue;
        if (i > begin) counts.merge(new String(all, begin, i - begin), 1, Integer::sum);
        begin = i + 1;
      }
      total += counts.size();
    }
    return total;
  }

  static synchronized void add() {
    counter++;
  }

  static long monitors(int own, int rounds) {
    for (int i = 0; i < rounds; i++) add();
    return rounds;
  }

  static long locks(int own, int rounds) {
    for (int i = 0; i < rounds; i++) {
      lock.lock();
      try {
        counter++;
      } finally {
        lock.unlock();
      }
    }
    return rounds;
  }

  static final class Node {
    final int value;
    final Node next;

    Node(int value, Node next) {
      this.value = value;
      this.next = next;
    }
  }

  /** Objects that no other thread sees. */
  static long objects(int own, int rounds) {
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
      Node list = null;
      for (int i = 0; i < 200; i++) list = new Node(i, list);
      for (Node node = list; node != null; node = node.next) sum += node.value;
    }
    return sum;
  }

  static Work named(String name) {
    switch (name) {
      case "matrix":
        return Shapes::matrix;
      case "parse":
        return Shapes::parse;
      case "monitors":
        return Shapes::monitors;
      case "locks":
        return Shapes::locks;
      default:
        return Shapes::objects;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Work work = named(args[0]);
    int rounds = Integer.parseInt(args[1]);
    long[] results = new long[2];
    Thread[] threads = new Thread[results.length];
    for (int t = 0; t < threads.length; t++) {
      int own = t;
      threads[t] = new Thread(() -> results[own] = work.run(own, rounds));
      threads[t].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(results[0] + results[1] + " " + counter);
  }
}
