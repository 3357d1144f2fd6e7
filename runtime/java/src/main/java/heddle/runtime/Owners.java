package heddle.runtime;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.WeakHashMap;

/** Replays: which thread holds which lock of java.util.concurrent, to report which threads wait for each other. */
final class Owners {
  private static final Map<Object, Task> owners = new IdentityHashMap<>();
  private static final Map<Object, Object> locks = new WeakHashMap<>();

  private Owners() {}

  private static final Map<Object, Boolean> told = new WeakHashMap<>();

  private static boolean off() {
    return Config.mode != Config.REPLAY;
  }

  static void take(Object lock, Task t) {
    if (!off()) put(lock, t);
  }

  private static synchronized void put(Object lock, Task t) {
    owners.put(lock, t);
  }

  static void release(Object lock, Task t) {
    if (!off()) remove(lock, t);
  }

  private static synchronized void remove(Object lock, Task t) {
    boolean more = lock instanceof java.util.concurrent.locks.ReentrantLock && ((java.util.concurrent.locks.ReentrantLock) lock).getHoldCount() > 1;
    if (!more && owners.get(lock) == t) owners.remove(lock);
  }

  static synchronized void condition(Object condition, Object lock) {
    locks.put(condition, lock);
  }

  /** The lock of a condition that is waited for the first time; it may have been made before anything was recorded. */
  static synchronized Object untold(Object condition) {
    return told.put(condition, true) == null ? locks.get(condition) : null;
  }

  static synchronized Object lockOf(Object condition) {
    return locks.get(condition);
  }

  static synchronized void waits(Object condition, Task t) {
    Object lock = off() ? null : locks.get(condition);
    if (lock != null && owners.get(lock) == t) owners.remove(lock);
  }

  static synchronized void woken(Object condition, Task t) {
    Object lock = off() ? null : locks.get(condition);
    if (lock != null) owners.put(lock, t);
  }

  static synchronized Task of(Object lock) {
    return owners.get(lock);
  }
}
