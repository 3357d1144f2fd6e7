/*
 * A chat room: one thread joins members, another one greets all that are there.
 * Wrong: members are joined under the lock of the room, and greeted without it.
 */
// expects: property, order-violation, atomicity, data-race
import java.util.ArrayList;
import java.util.List;

public class RacyIteration {
  static class Room {
    private final List<String> members = new ArrayList<>();

    synchronized void enter(String name) {
      members.add(name); // bug
    }

    int greet() {
      int letters = 0;
      for (String name : members) letters += name.length(); // bug
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
