/*
 * A cache under a read-write lock: who misses lets go of the read lock, takes the write lock and computes.
 * Right: it looks again under the write lock.
 */
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class UpgradeAgain {
  static class Session {
    int users;
  }

  private static final ReadWriteLock lock = new ReentrantReadWriteLock();
  private static final Map<String, Session> sessions = new HashMap<>();

  static Session session(String key) {
    lock.readLock().lock();
    try {
      Session found = sessions.get(key);
      if (found != null) return found;
    } finally {
      lock.readLock().unlock();
    }
    lock.writeLock().lock();
    try {
      Session found = sessions.get(key);
      if (found != null) return found;
      Session made = new Session();
      sessions.put(key, made);
      return made;
    } finally {
      lock.writeLock().unlock();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                Session mine = session("ada");
                synchronized (mine) {
                  mine.users++;
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    int users = session("ada").users;
    if (users != 3) throw new IllegalStateException(users + " users of one session, not 3");
    System.out.println(users + " users.");
  }
}
