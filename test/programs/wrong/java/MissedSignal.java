/*
 * Main waits until a worker has loaded its table.
 * Wrong: the worker's notify is lost if it comes before the wait; there is no flag that says it was there.
 */
// expects: deadlock, order-violation
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
        loaded.notify(); // bug
      }
    }

    int last() throws InterruptedException {
      synchronized (loaded) {
        loaded.wait(); // bug
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
