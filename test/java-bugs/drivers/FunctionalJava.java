// expects: order-violation, data-race, atomicity
// bug: fj/P1.java:205
// bug: fj/P1.java:210
import fj.P;
import fj.P1;

/** https://github.com/functionaljava/functionaljava/issues/105: P1.memo() sometimes returns null when two threads ask first. 4.2, right since 4.3. */
public class FunctionalJava {
  public static void main(String[] args) throws Exception {
    P1<String> name = P.p("Bla").memo();
    Runnable greet = () -> {
      if (name._1().length() != 3) throw new IllegalStateException("a wrong name");
    };
    Thread[] threads = {new Thread(greet), new Thread(greet)};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
