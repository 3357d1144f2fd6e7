/*
 * A scheduled job reports how far the work is.
 * Wrong: it is scheduled before the work exists, and relies on the delay.
 */
// expects: order-violation, data-race, atomicity at Scheduled.work
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class Scheduled {
  private static volatile int[] work;

  public static void main(String[] args) throws Exception {
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    ScheduledFuture<Integer> report = timer.schedule(() -> work.length, 50, TimeUnit.MILLISECONDS); // bug
    work = new int[4]; // bug
    System.out.println(report.get() + " parts");
    timer.shutdown();
  }
}
