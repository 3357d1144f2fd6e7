/*
 * A scheduled job reports how far the work is.
 * Right: it is scheduled when the work exists.
 */
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class Scheduled {
  private static volatile int[] work;

  public static void main(String[] args) throws Exception {
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    work = new int[4];
    ScheduledFuture<Integer> report = timer.schedule(() -> work.length, 50, TimeUnit.MILLISECONDS);
    System.out.println(report.get() + " parts");
    timer.shutdown();
  }
}
