import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** https://github.com/micrometer-metrics/micrometer/issues/5489: a filter is added while another thread registers meters. 1.13.4, right since 1.13.5. */
public class MicrometerFilter {
  public static void main(String[] args) throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Counter.builder("starts").register(registry).increment();
    Thread registers = new Thread(() -> Counter.builder("requests").register(registry).increment());
    Thread configures = new Thread(() -> registry.config().meterFilter(MeterFilter.commonTags(Tags.of("app", "shop"))));
    registers.start();
    configures.start();
    registers.join();
    configures.join();
  }
}
