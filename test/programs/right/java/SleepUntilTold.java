/** A worker sleeps until it is interrupted, and then takes what was left for it. That the sleep ends by itself would be a failure: nothing takes five seconds. */
public class SleepUntilTold {
  static volatile int order;

  public static void main(String[] args) throws InterruptedException {
    Thread worker =
        new Thread(
            () -> {
              try {
                Thread.sleep(5000);
                throw new IllegalStateException("nobody told it");
              } catch (InterruptedException e) {
                if (order != 1) throw new IllegalStateException("no order");
              }
            });
    worker.start();
    order = 1;
    worker.interrupt();
    worker.join();
    System.out.println("told");
  }
}
