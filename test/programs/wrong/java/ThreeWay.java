/*
 * Three departments each move a file from their own shelf to the next one.
 * Wrong: each locks its own shelf first, and so they lock in a ring.
 */
// expects: deadlock
import java.util.ArrayDeque;
import java.util.Deque;

public class ThreeWay {
  static class Shelf {
    final Deque<String> files = new ArrayDeque<>();
  }

  static void move(Shelf from, Shelf to) {
    synchronized (from) { // bug
      synchronized (to) { // bug
        String file = from.files.poll();
        if (file != null) to.files.add(file);
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Shelf[] shelves = {new Shelf(), new Shelf(), new Shelf()};
    for (int i = 0; i < 3; i++) for (int f = 0; f < 4; f++) shelves[i].files.add("file " + i + "/" + f);
    Thread[] departments = new Thread[3];
    for (int i = 0; i < 3; i++) {
      Shelf from = shelves[i];
      Shelf to = shelves[(i + 1) % 3];
      departments[i] =
          new Thread(
              () -> {
                for (int n = 0; n < 3; n++) move(from, to);
              });
      departments[i].start();
    }
    for (Thread department : departments) department.join();
    int all = 0;
    for (Shelf shelf : shelves) all += shelf.files.size();
    System.out.println(all + " files.");
  }
}
