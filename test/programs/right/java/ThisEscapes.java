/*
 * A sensor tells a bus about itself when it is made; the bus calls all sensors now and then.
 * Right: the bus hears of a sensor that is whole.
 */
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ThisEscapes {
  interface Listener {
    int tick();
  }

  static class Bus {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    void subscribe(Listener listener) {
      listeners.add(listener);
    }

    int tick() {
      int sum = 0;
      for (Listener listener : listeners) sum += listener.tick();
      return sum;
    }
  }

  static class Sensor implements Listener {
    private final String name;
    private int[] samples;

    static void install(Bus bus, String name) {
      bus.subscribe(new Sensor(name));
    }

    private Sensor(String name) {
      this.name = name;
      samples = new int[] {1, 2, 3};
    }

    @Override
    public int tick() {
      return samples[0] + name.length();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Bus bus = new Bus();
    Thread maker = new Thread(() -> Sensor.install(bus, "door"));
    Thread clock = new Thread(bus::tick);
    maker.start();
    Thread.sleep(20);
    clock.start();
    maker.join();
    clock.join();
    System.out.println("Ticked.");
  }
}
