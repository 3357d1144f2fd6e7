import io.reactivex.disposables.Disposable;
import io.reactivex.processors.PublishProcessor;

/** https://github.com/ReactiveX/RxJava/issues/5246: toList() is cancelled while an item comes. 2.0.8, right since 2.0.9. */
public class RxToList {
  public static void main(String[] args) throws Exception {
    PublishProcessor<Integer> numbers = PublishProcessor.create();
    Disposable list = numbers.toList().toFlowable().subscribe(all -> System.out.println(all));
    Thread emits = new Thread(() -> numbers.onNext(1));
    Thread cancels = new Thread(list::dispose);
    emits.start();
    cancels.start();
    emits.join();
    cancels.join();
  }
}
