/*
 * A chat room: one thread joins members, another one greets all that are there.
 * Right: both are done under the lock of the room.
 */
import java.util.ArrayList;
import java.util.List;

public class RacyIteration {
  static class Room {
    private final List<String> members = new ArrayList<>();

    synchronized void enter(String name) {
      members.add(name);
    }

    synchronized int greet() {
      int letters = 0;
      for (String name : members) letters += name.length();
      return letters;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Room room = new Room();
    room.enter("Ada");
    room.enter("Grace");
    Thread porter =
        new Thread(
            () -> {
              for (String name : new String[] {"Barbara", "Frances", "Jean"}) room.enter(name);
            });
    Thread host = new Thread(room::greet);
    porter.start();
    host.start();
    porter.join();
    host.join();
    System.out.println("Greeted.");
  }
}
