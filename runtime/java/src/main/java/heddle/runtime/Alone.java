package heddle.runtime;

import jdk.internal.vm.annotation.DontInline;

/**
 * Accesses to objects that one thread alone has to do with: they need no stripe. The thread says which object it is at, and looks then whether it still has it alone. Who comes second
 * says so, and then waits until the first one is no longer at it; from then on both use stripes. So no access of the first one is in flight when the second one makes its own, and the
 * second one has its moment after all of them.
 *
 * Neither store is followed by a fence, which would cost the first thread more than all the rest. The second thread does the waiting instead: what a processor has stored is seen by the
 * others within DRAINED, and a thread that is not running has stored everything. (Morrison and Afek call this bounded TSO.) The compiler keeps the order because each store is a release.
 */
final class Alone {
  /** Far more than the stores that a processor can have under way take. */
  private static final long DRAINED = 10_000;
  private static final int LONG = 1 << 14;

  private Alone() {}

  /** Begins an access to an object that was of this thread alone a moment ago. False: it no longer is. */
  static boolean begin(Task t, Block block, int id) {
    t.at.lazySet(id);
    t.then.lazySet(id);
    if (block.state(id) == Block.ALONE) return true;
    t.at.lazySet(0);
    return false;
  }

  static void end(Task t) {
    t.at.lazySet(0);
  }

  /** From now on the object is of several threads. Whoever finds it on the way there does all of this, too: nobody waits for one that comes. */
  @DontInline
  static void share(Task t, Block block, int id, Object o) {
    if (block.state(id) == Block.ALONE) block.setState(id, Block.COMING);
    t.then.incrementAndGet(); // a fence: the mark is there for all
    Task first = Task.all[block.owner];
    if (first != null && first != t) {
      leave(first, id);
      block.after(first.clock);
    }
    Ids.tellAgain(id, o, t);
    t.then.incrementAndGet();
    block.setState(id, Block.SHARED);
  }

  /** Waits until the thread is no longer at the object. */
  private static void leave(Task first, int id) {
    if (first.thread.getState() == Thread.State.RUNNABLE) {
      long until = System.nanoTime() + DRAINED;
      while (System.nanoTime() - until < 0) if (first.at.get() == id) break;
    }
    for (int spins = 1; first.at.get() == id; spins++) {
      if (spins > 64) Thread.yield();
      if (spins % LONG == 0 && Stripes.hasLeft(first)) return;
    }
  }
}
