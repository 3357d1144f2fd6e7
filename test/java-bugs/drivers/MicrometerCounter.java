import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** https://github.com/micrometer-metrics/micrometer/issues/1622: increments are lost when two threads register one counter. 1.3.0, right since 1.3.1. */
public class MicrometerCounter {
  public static void main(String[] args) throws Exception {
    SimpleMeterRegistry simple = new SimpleMeterRegistry();
    CompositeMeterRegistry all = new CompositeMeterRegistry();
    all.add(simple);
    Runnable request = () -> Counter.builder("requests").tag("path", "/").register(all).increment();
    Thread[] threads = {new Thread(request), new Thread(request)};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    double count = simple.get("requests").counter().count();
    if (count != 2) throw new IllegalStateException(count + " of 2 requests were counted");
  }
}
