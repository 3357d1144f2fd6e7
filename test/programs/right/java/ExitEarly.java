/*
 * Main ends the process while another thread waits for something that never comes.
 */
public class ExitEarly {
  private static final Object lock = new Object();

  public static void main(String[] args) throws Exception {
    Thread waiter =
        new Thread(
            () -> {
              synchronized (lock) {
                try {
                  lock.wait();
                } catch (InterruptedException e) {
                  return;
                }
                throw new IllegalStateException("woken by nobody");
              }
            });
    waiter.start();
    System.out.println("exit");
    System.exit(0);
  }
}
