/*
 * A java.util.Timer counts three ticks, then main cancels it.
 */
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerTicks {
  public static void main(String[] args) throws Exception {
    CountDownLatch ticks = new CountDownLatch(3);
    Timer timer = new Timer(true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            ticks.countDown();
          }
        },
        1,
        5);
    ticks.await();
    timer.cancel();
    System.out.println("3 ticks");
  }
}
