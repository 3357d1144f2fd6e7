import io.reactivex.processors.BehaviorProcessor;

/** https://github.com/ReactiveX/RxJava/issues/5280: somebody subscribes to a BehaviorProcessor while it completes. 2.0.8, right since 2.0.9. */
public class RxBehavior {
  public static void main(String[] args) throws Exception {
    BehaviorProcessor<String> state = BehaviorProcessor.create();
    Thread ends = new Thread(state::onComplete);
    Thread subscribes = new Thread(() -> state.test().awaitTerminalEvent());
    ends.start();
    subscribes.start();
    ends.join();
    subscribes.join();
  }
}
