/*
 * A bounded buffer with two conditions, two producers and two consumers.
 */
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class BoundedBuffer {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private final Condition notEmpty = lock.newCondition();
  private final ArrayDeque<Integer> items = new ArrayDeque<>();

  void put(int item) throws InterruptedException {
    lock.lock();
    try {
      while (items.size() == 1) notFull.await();
      items.add(item);
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  int take() throws InterruptedException {
    lock.lock();
    try {
      while (items.isEmpty()) notEmpty.await();
      int item = items.remove();
      notFull.signal();
      return item;
    } finally {
      lock.unlock();
    }
  }

  public static void main(String[] args) throws Exception {
    BoundedBuffer buffer = new BoundedBuffer();
    int[] sums = new int[2];
    Thread[] threads = new Thread[4];
    for (int i = 0; i < 4; i++) {
      int me = i;
      threads[i] =
          new Thread(
              () -> {
                try {
                  for (int k = 1; k <= 2; k++) {
                    if (me < 2) buffer.put(k);
                    else sums[me - 2] += buffer.take();
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    if (sums[0] + sums[1] != 6) throw new AssertionError("sums " + sums[0] + " and " + sums[1]);
    System.out.println("sum 6");
  }
}
