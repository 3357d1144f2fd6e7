/*
 * A bounded buffer with one producer and two consumers.
 * Wrong: a consumer that was woken does not look again whether there is anything (if instead of while).
 */
// expects: order-violation, atomicity, data-race, property
public class BufferIf {
  static class Buffer {
    private final Object[] slots = new Object[2];
    private int count;
    private int in;
    private int out;

    synchronized void put(Object item) throws InterruptedException {
      while (count == slots.length) wait();
      slots[in] = item;
      in = (in + 1) % slots.length;
      count++;
      notifyAll();
    }

    synchronized Object take() throws InterruptedException {
      if (count == 0) wait(); // bug
      Object item = slots[out]; // bug
      slots[out] = null;
      out = (out + 1) % slots.length;
      count--;
      notifyAll();
      if (item == null) throw new IllegalStateException("took nothing"); // bug
      return item;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Buffer buffer = new Buffer();
    Thread[] consumers = new Thread[2];
    for (int c = 0; c < consumers.length; c++) {
      consumers[c] =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 3; i++) buffer.take();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "consumer " + c);
      consumers[c].start();
    }
    Thread producer =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 6; i++) buffer.put("item " + i);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "producer");
    producer.start();
    producer.join();
    for (Thread consumer : consumers) consumer.join();
    System.out.println("All taken.");
  }
}
