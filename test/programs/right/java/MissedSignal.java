/*
 * Main waits until a worker has loaded its table.
 * Right: main waits only as long as the table is not there.
 */
public class MissedSignal {
  static class Loader implements Runnable {
    private final Object loaded = new Object();
    private int[] table;

    @Override
    public void run() {
      int[] fresh = new int[64];
      for (int i = 0; i < fresh.length; i++) {
        fresh[i] = i * i;
        try {
          if (i % 8 == 0) Thread.sleep(10);
        } catch (InterruptedException e) {
          return;
        }
      }
      synchronized (loaded) {
        table = fresh;
        loaded.notify();
      }
    }

    int last() throws InterruptedException {
      synchronized (loaded) {
        while (table == null) loaded.wait();
        return table[63];
      }
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Loader loader = new Loader();
    Thread thread = new Thread(loader);
    thread.start();
    System.out.println("The last one is " + loader.last() + ".");
    thread.join();
  }
}
