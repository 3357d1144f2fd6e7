/*
 * A sensor tells a bus about itself when it is made; the bus calls all sensors now and then.
 * Wrong: the constructor hands out `this` before its fields are set.
 */
// expects: order-violation, data-race, atomicity
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ThisEscapes {
  interface Listener {
    int tick();
  }

  static class Bus {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    void subscribe(Listener listener) {
      listeners.add(listener); // bug
    }

    int tick() {
      int sum = 0;
      for (Listener listener : listeners) sum += listener.tick(); // bug
      return sum;
    }
  }

  static class Sensor implements Listener {
    private final String name;
    private int[] samples;

    Sensor(Bus bus, String name) {
      this.name = name;
      bus.subscribe(this); // bug
      samples = new int[] {1, 2, 3}; // bug
    }

    @Override
    public int tick() {
      return samples[0] + name.length(); // bug
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Bus bus = new Bus();
    Thread maker = new Thread(() -> new Sensor(bus, "door"));
    Thread clock = new Thread(bus::tick);
    maker.start();
    Thread.sleep(20);
    clock.start();
    maker.join();
    clock.join();
    System.out.println("Ticked.");
  }
}
