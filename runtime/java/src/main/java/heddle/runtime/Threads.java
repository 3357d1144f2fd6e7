package heddle.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;

/** Begin and end of threads: called from java.lang.Thread. */
public final class Threads {
  private Threads() {}

  static Task main;

  /** Monitors that main holds before there is a second thread. */
  private static final List<Early> early = new ArrayList<>();

  private static final class Early {
    final Object monitor;
    final int site;

    Early(Object monitor, int site) {
      this.monitor = monitor;
      this.site = site;
    }
  }

  static void heldEarly(Object o, int site) {
    Task t = main;
    if (t == null || t.thread != Thread.currentThread() || t.inside != 0) return;
    early.add(new Early(o, site));
  }

  static void releasedEarly(Object o) {
    Task t = main;
    if (t == null || t.thread != Thread.currentThread() || t.inside != 0) return;
    for (int i = early.size() - 1; i >= 0; i--) {
      if (early.get(i).monitor == o) {
        early.remove(i);
        return;
      }
    }
  }

  private static void on(Task t) {
    t.begun = true;
    t.until = Gate.first();
    if (Config.records) t.out = open(t);
    Gate.start(t);
    Task.on = true;
    for (Early one : early) {
      t.steps++;
      if (Config.mode == Config.REPLAY) Monitors.enter(t, one.monitor, one.site);
      Hd.sync(t, Kinds.LOCK, one.monitor, 0, one.site);
    }
    early.clear();
  }

  /** The program may have a security manager that lets it open no files: this one is ours. */
  private static Records open(Task t) {
    return AccessController.doPrivileged((PrivilegedAction<Records>) () -> Records.open(t));
  }

  /** Right before a thread is started. */
  public static void starting(Thread child) {
    Task t = Task.current();
    if (t == null || t.inside != 0 || child instanceof Agent.End || isOfJdk(child)) return;
    t.inside++;
    try {
      if (!Task.on) on(t);
      if (t.stripe >= 0) Hd.lost(t);
      if (!t.begun) begin(t);
      if (++t.steps > t.until) Gate.gate(t, Kinds.CREATE, child, t.callSite);
      Task made = Task.add(child, t);
      if (made == null) return;
      if (Config.records) made.out = open(made);
      made.clock = t.clock + 1;
      made.until = -1; // it begins with its first step
      t.record(Kinds.CREATE, made.id, 0, 0, t.callSite, ++t.clock);
    } finally {
      t.inside--;
    }
  }

  /** Threads that virtual ones run on, and what wakes them. */
  private static boolean isOfJdk(Thread thread) {
    return thread.getClass().getName().equals("jdk.internal.misc.CarrierThread") || thread.getName().startsWith("VirtualThread-");
  }

  static boolean isVirtual(Thread thread) {
    return thread.getClass().getName().startsWith("java.lang.VirtualThread") || thread.getClass().getName().equals("java.lang.ThreadBuilders$BoundVirtualThread");
  }

  /** The scheduler of virtual threads is at work. */
  public static void aside() {
    Task t = Task.on ? Task.current() : null;
    if (t != null) t.inside++;
  }

  public static void back() {
    Task t = Task.on ? Task.current() : null;
    if (t != null && t.inside > 0) t.inside--;
  }

  /** Right after. */
  public static void started(Thread child) {
    if (Config.mode != Config.REPLAY) return;
    Task t = Task.current();
    Task made = Task.of(child);
    if (t != null && made != null && t.inside == 0) Gate.awaitArrival(made);
  }

  /** The first thing that is seen of it. */
  static void begin(Task t) {
    t.begun = true;
    t.until = Gate.first();
    t.inside++;
    try {
      if (++t.steps > t.until) Gate.gate(t, Kinds.BEGIN, null, 0);
      t.record(Kinds.BEGIN, 0, 0, 0, 0, ++t.clock);
    } finally {
      t.inside--;
    }
  }

  public static void run() {
    if (!Task.on) return;
    Task t = Task.current();
    if (t != null && !t.begun && t.inside == 0) begin(t);
  }

  /** The last thing. */
  public static void exit() {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null) return;
    // Whatever a StackOverflowError has left.
    t.inside = 1;
    try {
      if (t.stripe >= 0) Hd.lost(t);
      if (!t.begun) begin(t);
      if (++t.steps > t.until) Gate.gate(t, Kinds.END, null, 0);
      t.record(Kinds.END, t.id, 0, 0, 0, ++t.clock);
      Clocks.keep(t);
      if (t.out != null) t.out.close();
      t.out = null;
      Gate.gone(t);
    } finally {
      Task.forget(t);
    }
  }

  /** An exception that nobody caught. */
  public static void uncaught(Throwable e) {
    Task t = Task.current();
    // While the JVM ends, threads are no longer in any order.
    if (t == null || ends || e instanceof ThreadDeath) return;
    t.inside++;
    try {
      StringBuilder text = new StringBuilder("uncaught " + t.name + "|" + e.getClass().getName() + "|");
      String message;
      try {
        message = e.getMessage();
      } catch (Throwable other) {
        message = null;
      }
      text.append(message == null ? "" : message.replace('|', '/'));
      StackTraceElement[] stack = e.getStackTrace();
      for (int i = 0; i < stack.length && i < 40; i++) text.append('|').append(stack[i]);
      Result.line(text.toString());
    } catch (Throwable other) {
      Result.line("uncaught " + t.name + "|" + e.getClass().getName() + "|");
    } finally {
      t.inside--;
    }
  }

  private static volatile boolean ends;

  /** The process ends by itself: nobody is held any more. */
  public static void exiting(int code) {
    ends = true;
    Tables.flush();
    Clocks.keepAll();
    if (Hd.noRoom && Config.mode == Config.RECORD) Result.line("note There was no stack or memory left for some records: they are missing.");
    Result.line("end " + code);
    Gate.open();
  }
}
