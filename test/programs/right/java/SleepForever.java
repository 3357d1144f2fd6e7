/*
 * A keeper sleeps until it is interrupted, however long that takes; main interrupts it at the end.
 */
public class SleepForever {
  private static volatile boolean interrupted;

  public static void main(String[] args) throws Exception {
    Thread keeper =
        new Thread(
            () -> {
              try {
                Thread.sleep(Long.MAX_VALUE);
                throw new IllegalStateException("for ever is over");
              } catch (InterruptedException e) {
                interrupted = true;
              }
            });
    keeper.start();
    Thread worker =
        new Thread(
            () -> {
              if (interrupted) throw new IllegalStateException("too early");
              keeper.interrupt();
            });
    worker.start();
    worker.join();
    keeper.join();
    System.out.println("interrupted: " + interrupted);
  }
}
