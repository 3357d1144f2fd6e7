import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Two threads work, then it ends in the way that its first word says. */
public class Ends {
  static int count;
  static int depth;

  static synchronized void add() {
    count++;
  }

  static int down(int n) {
    depth = n;
    return n == 0 ? 0 : 1 + down(n - 1);
  }

  static int forever(int n) {
    return 1 + forever(n + 1);
  }

  static synchronized int locked() {
    count++;
    return 1 + locked();
  }

  static int lockedBlock() {
    synchronized (Ends.class) {
      count++;
      return 1 + lockedBlock();
    }
  }

  static class First {
    static int value = twice(1);

    static int twice(int n) {
      return 2 * n;
    }
  }

  /** Every class that is needed for the first time is needed where there is no stack left. */
  static int atTheEdge() {
    try {
      return 1 + atTheEdge();
    } catch (StackOverflowError e) {
      return First.value;
    }
  }

  static void fill() {
    List<byte[]> all = new ArrayList<>();
    for (;;) all.add(new byte[1 << 20]);
  }

  static void run(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  static void deadlock() throws InterruptedException {
    Object x = new Object();
    Object y = new Object();
    CountDownLatch both = new CountDownLatch(2);
    Thread other = new Thread(() -> take(x, y, both));
    other.start();
    take(y, x, both);
    other.join();
  }

  static void take(Object first, Object second, CountDownLatch both) {
    synchronized (first) {
      both.countDown();
      try {
        both.await();
      } catch (InterruptedException e) {
        return;
      }
      synchronized (second) {
        add();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Thread a = new Thread(Ends::add);
    Thread b = new Thread(Ends::add);
    a.start();
    b.start();
    a.join();
    b.join();
    System.out.println(count);
    switch (args[0]) {
      case "exit":
        System.exit(Integer.parseInt(args[1]));
        break;
      case "halt":
        Runtime.getRuntime().halt(Integer.parseInt(args[1]));
        break;
      case "memory":
        fill();
        break;
      case "memory-caught":
        try {
          fill();
        } catch (OutOfMemoryError e) {
          System.out.println("no memory");
        }
        break;
      case "stack":
        forever(0);
        break;
      case "stack-caught":
        run(
            () -> {
              int caught = 0;
              for (int i = 0; i < 100; i++) {
                try {
                  if (i % 2 == 0) locked();
                  else lockedBlock();
                } catch (StackOverflowError e) {
                  caught++;
                }
              }
              System.out.println("too deep " + caught);
            });
        add();
        break;
      case "stack-edge":
        run(() -> System.out.println(atTheEdge() > 2));
        run(() -> System.out.println(First.value));
        add();
        break;
      case "deep":
        System.out.println(down(3000));
        break;
      case "uncaught":
        run(
            () -> {
              throw new IllegalStateException("in a thread");
            });
        break;
      case "kill":
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(60_000);
        break;
      case "hang":
        Thread.sleep(1_000_000);
        break;
      case "wait":
        new CountDownLatch(1).await();
        break;
      case "deadlock":
        deadlock();
        break;
      case "manager":
        System.setSecurityManager(new SecurityManager());
        run(Ends::add);
        try {
          System.out.println(System.getProperty("user.home"));
        } catch (SecurityException e) {
          System.out.println("it may not");
        }
        break;
      default:
    }
    System.out.println("end " + (count > 3 ? "many" : count));
  }
}
