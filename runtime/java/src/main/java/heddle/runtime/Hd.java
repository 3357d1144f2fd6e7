package heddle.runtime;

import jdk.internal.vm.annotation.DontInline;

/**
 * What observed code calls around every access to memory and every monitor. An access has two halves: the first gives the task if there is something to record, and the second
 * gets it back; in between a stripe is held, unless the object is of this thread alone. Nothing here throws, and nothing here calls back: where there is no stack or memory left
 * the access is made, and is not recorded. What is done for every access is short enough to be put in line by the JVM.
 */
public final class Hd {
  private Hd() {}

  /** Known when this class is loaded: the JVM compiles what is needed alone. */
  static final boolean LOCAL_ORDER = Config.localOrder;
  private static final boolean REPLAY = Config.mode == Config.REPLAY;

  /** There was no stack or no memory left in the middle of something of ours: records are missing, and what replays know of monitors may be wrong. Observed code sets it, too. */
  public static volatile boolean noRoom;

  // Steps.

  /** The task at hand. Methods with loops ask once, and give it to every hook; null: it is to be asked for again. */
  public static Task here() {
    return Task.on ? Task.current() : null;
  }

  private static Task step(int kind, Object object, int site) {
    return step(here(), kind, object, site);
  }

  /** The task at hand before its next step, or null where nothing is to be done. */
  private static Task step(Task t, int kind, Object object, int site) {
    if (t == null || t.inside != 0) return null;
    if (++t.steps > t.until) asks(t, kind, object, site);
    return t;
  }

  @DontInline
  private static void asks(Task t, int kind, Object object, int site) {
    if (t.stripe >= 0) lost(t);
    if (!t.begun) {
      t.steps--;
      Threads.begin(t);
      if (++t.steps <= t.until) return;
    }
    Gate.gate(t, kind, object, site);
  }

  /** The second half of the access before never came: it threw, or called something of the program. */
  @DontInline
  static void lost(Task t) {
    if (t.stripe >= 0) Stripes.giveUp(t);
    t.open = false;
    t.again = false;
  }

  /** It is not of this thread alone any more. */
  static void touch(Task t, int id, Object o) {
    if (id <= 1) return;
    Block block = Block.of(id);
    if (block.state(id) != Block.SHARED && block.owner != t.id) Alone.share(t, block, id, o);
  }

  /** Of a thread that has recorded much: what is its own is counted alone. */
  static boolean isLeftOut(Task t, int id) {
    return t.flooded && Ids.isOwn(id, t);
  }

  /** Begins an access. `stripe`: it is held afterwards; -1: none is needed. */
  static Task open(Task t, int kind, int object, int field, int site, int stripe) {
    if (t.stripe >= 0) lost(t);
    t.kind = kind;
    t.object = object;
    t.field = field;
    t.site = site;
    t.open = true;
    if (LOCAL_ORDER || stripe < 0) return t;
    Stripes.hold(t, stripe, object);
    return t;
  }

  /** The same where the object is of this thread alone; null if it no longer is. */
  private static Task openAlone(Task t, int kind, int object, int field, int site) {
    t.site = site;
    return Alone.begin(t, Block.of(object), object) ? open(t, kind, object, field, site, -1) : null;
  }

  /** A write to what is this thread's alone is not recorded where it has recorded much, but others see that it is under way. */
  static Task unrecorded(Task t, int id, int site) {
    t.site = site;
    if (!Alone.begin(t, Block.of(id), id)) return null;
    t.open = false;
    return t;
  }

  /** A read. One that is made again, with nobody writing in between, needs no stripe. */
  private static Task openRead(Task t, int kind, int object, int field, int site, int stripe) {
    boolean again = kind == Kinds.READ && isSeen(t, object, field, site) && t.seenClock[site & (Task.SEEN - 1)] == Stripes.lastWrite(stripe);
    open(t, kind, object, field, site, again ? -1 : stripe);
    t.again = again;
    t.stripeOfRead = stripe;
    return t;
  }

  private static boolean isSeen(Task t, int object, int field, int site) {
    int at = site & (Task.SEEN - 1);
    return t.seenSite[at] == site && t.seenObject[at] == object && t.seenField[at] == field;
  }

  @DontInline
  private static void close(Task t, long value) {
    try {
      if (!t.open) Alone.end(t);
      else if (t.stripe >= 0) closeShared(t, value);
      else if (t.again) closeAgain(t, value);
      else {
        t.record(t.kind, t.object, t.field, value, t.site, ++t.clock);
        Alone.end(t);
      }
      t.open = false;
    } catch (OutOfMemoryError e) {
      noRoom = true;
      lost(t);
    } catch (VirtualMachineError e) {
      noRoom = true; // nothing can be called: the stripe is given back at the next hook
    }
  }

  @DontInline
  private static void closeShared(Task t, long value) {
    int stripe = t.stripe;
    if (t.kind == Kinds.WRITE || t.kind == Kinds.ATOMIC_WRITE) {
      t.record(t.kind, t.object, t.field, value, t.site, Stripes.tick(t, stripe, t.object, t.field, value));
    } else closeRead(t, value, stripe);
    Stripes.release(t);
  }

  /** What is read again, with nobody writing in between, is recorded once. */
  private static void closeRead(Task t, long value, int stripe) {
    int at = t.site & (Task.SEEN - 1);
    if (isSeen(t, t.object, t.field, t.site) && t.seenValue[at] == value && t.seenClock[at] == Stripes.lastWrite(stripe)) return;
    t.record(t.kind, t.object, t.field, value, t.site, Stripes.tickRead(t, stripe));
    t.seenSite[at] = t.site;
    t.seenObject[at] = t.object;
    t.seenField[at] = t.field;
    t.seenValue[at] = value;
    t.seenClock[at] = Stripes.lastWrite(stripe);
  }

  /** It was made without a stripe. Where it has something new, somebody was writing meanwhile: the value is said only if it is the one that is there now. */
  @DontInline
  private static void closeAgain(Task t, long value) {
    t.again = false;
    if (t.seenValue[t.site & (Task.SEEN - 1)] == value) return;
    int stripe = t.stripeOfRead;
    Stripes.hold(t, stripe, t.object);
    if (Stripes.isLeft(stripe, t.object, t.field, value)) closeRead(t, value, stripe);
    else t.record(Kinds.LOOK, t.object, t.field, 0, t.site, Stripes.tickRead(t, stripe));
    Stripes.release(t);
  }

  // Fields. `field`: its number; negative: it is volatile.

  public static Task read(Object o, int field, int site) {
    return readBy(o, field, site, here());
  }

  public static Task read(Object o, int field, int site, Task t) {
    return readBy(o, field, site, t != null ? t : here());
  }

  private static Task readBy(Object o, int field, int site, Task now) {
    try {
      if (o == null) return null;
      Task t = step(now, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, o, site);
      return t == null || t.out == null ? null : readOf(t, o, field, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  @DontInline
  private static Task readOf(Task t, Object o, int field, int site) {
    int id = Ids.of(o, t);
    int kind = field < 0 ? Kinds.ATOMIC_READ : Kinds.READ;
    if (Ids.isOwn(id, t)) {
      if (t.flooded) return null;
      Task opened = openAlone(t, kind, id, Math.abs(field), site);
      if (opened != null) return opened;
    }
    touch(t, id, o);
    return openRead(t, kind, id, Math.abs(field), site, Stripes.ofObject(id, 0));
  }

  public static Task readStatic(int field, int site) {
    return readStaticBy(field, site, here());
  }

  public static Task readStatic(int field, int site, Task t) {
    return readStaticBy(field, site, t != null ? t : here());
  }

  private static Task readStaticBy(int field, int site, Task now) {
    try {
      Task t = step(now, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, null, site);
      if (t == null || t.out == null || field > 0 && t.flooded && !Statics.isWritten(field)) return null;
      return openRead(t, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  public static Task write(Object o, int field, int site) {
    return writeBy(o, field, site, here());
  }

  public static Task write(Object o, int field, int site, Task t) {
    return writeBy(o, field, site, t != null ? t : here());
  }

  private static Task writeBy(Object o, int field, int site, Task now) {
    try {
      if (o == null) return null;
      Task t = step(now, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, o, site);
      return t == null || t.out == null ? null : writeOf(t, o, field, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  @DontInline
  private static Task writeOf(Task t, Object o, int field, int site) {
    int id = Ids.of(o, t);
    int kind = field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE;
    if (Ids.isOwn(id, t)) {
      Task opened = t.flooded ? unrecorded(t, id, site) : openAlone(t, kind, id, Math.abs(field), site);
      if (opened != null) {
        if (opened.open) Ids.write(id);
        return opened;
      }
    }
    touch(t, id, o);
    Ids.write(id);
    return open(t, kind, id, Math.abs(field), site, Stripes.ofObject(id, 0));
  }

  public static Task writeStatic(int field, int site) {
    return writeStaticBy(field, site, here());
  }

  public static Task writeStatic(int field, int site, Task t) {
    return writeStaticBy(field, site, t != null ? t : here());
  }

  private static Task writeStaticBy(int field, int site, Task now) {
    try {
      Task t = step(now, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, null, site);
      if (t == null || t.out == null) return null;
      if (field > 0) Statics.write(field);
      return open(t, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  // Arrays.

  public static Task load(Object array, int index, int site) {
    return loadBy(array, index, site, here());
  }

  public static Task load(Object array, int index, int site, Task t) {
    return loadBy(array, index, site, t != null ? t : here());
  }

  private static Task loadBy(Object array, int index, int site, Task now) {
    try {
      Task t = step(now, Kinds.READ, array, site);
      if (t == null || array == null || t.flooded && Ids.isQuiet(array, t)) return null;
      return t.out == null ? null : element(t, array, index, Kinds.READ, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  public static Task store(Object array, int index, int site) {
    return storeBy(array, index, site, here());
  }

  public static Task store(Object array, int index, int site, Task t) {
    return storeBy(array, index, site, t != null ? t : here());
  }

  private static Task storeBy(Object array, int index, int site, Task now) {
    try {
      Task t = step(now, Kinds.WRITE, array, site);
      return t == null || t.out == null || array == null ? null : element(t, array, index, Kinds.WRITE, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
      return null;
    }
  }

  public static Task storeA(Object array, int index, Object value, int site) {
    return fits(array, value) ? storeBy(array, index, site, here()) : null;
  }

  public static Task storeA(Object array, int index, Object value, int site, Task t) {
    return fits(array, value) ? storeBy(array, index, site, t != null ? t : here()) : null;
  }

  /** An object goes into an array only if it fits. */
  private static boolean fits(Object array, Object value) {
    return !Task.on || array == null || value == null || array.getClass().getComponentType().isInstance(value);
  }

  @DontInline
  private static Task element(Task t, Object array, int index, int kind, int site) {
    int id = Ids.ofOther(array, t);
    boolean own = Ids.isOwn(id, t);
    if (t.flooded && kind == Kinds.READ && (own || !Ids.isWritten(id))) return null;
    // The instruction throws.
    if (index < 0 || index >= lengthOf(array)) return null;
    if (own) {
      Task opened = t.flooded ? unrecorded(t, id, site) : openAlone(t, kind, id, index, site);
      if (opened != null) {
        if (opened.open && kind == Kinds.WRITE) Ids.write(id);
        return opened;
      }
    }
    touch(t, id, array);
    int stripe = Stripes.ofObject(id, index >>> 3);
    if (kind == Kinds.READ) return openRead(t, kind, id, index, site, stripe);
    Ids.write(id);
    return open(t, kind, id, index, site, stripe);
  }

  private static int lengthOf(Object array) {
    if (array instanceof Object[]) return ((Object[]) array).length;
    if (array instanceof int[]) return ((int[]) array).length;
    if (array instanceof byte[]) return ((byte[]) array).length;
    if (array instanceof long[]) return ((long[]) array).length;
    if (array instanceof double[]) return ((double[]) array).length;
    if (array instanceof char[]) return ((char[]) array).length;
    if (array instanceof boolean[]) return ((boolean[]) array).length;
    if (array instanceof float[]) return ((float[]) array).length;
    return ((short[]) array).length;
  }

  // The second halves: what was read, or was written.

  public static void sawI(int value, Task t) {
    if (t != null) close(t, value);
  }

  public static void sawJ(long value, Task t) {
    if (t != null) close(t, value);
  }

  public static void sawF(float value, Task t) {
    if (t != null) close(t, Float.floatToRawIntBits(value));
  }

  public static void sawD(double value, Task t) {
    if (t != null) close(t, Double.doubleToRawLongBits(value));
  }

  public static void sawA(Object value, Task t) {
    if (t == null) return;
    if (t.open) close(t, Words.of(value, t));
    else Alone.end(t);
  }

  // Monitors.

  public static void entering(Object o, int site) {
    if (o == null) return;
    Room.forHook();
    try {
      if (!Task.on) {
        Threads.heldEarly(o, site);
        return;
      }
      Task t = step(Kinds.LOCK, o, site);
      if (t != null && REPLAY) Monitors.enter(t, o, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  public static void entered(Object o, int site) {
    try {
      if (!Task.on) return;
      Task t = Task.current();
      if (t != null && t.inside == 0) sync(t, Kinds.LOCK, o, 0, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  public static void exiting(Object o, int site) {
    try {
      if (!Task.on) {
        Threads.releasedEarly(o);
        return;
      }
      Task t = step(Kinds.UNLOCK, o, site);
      if (t == null) return;
      sync(t, Kinds.UNLOCK, o, 0, site);
      if (REPLAY) Monitors.exit(t, o);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  /** A record about an object that threads meet at. */
  @DontInline
  static void sync(Task t, int kind, Object o, long value, int site) {
    if (t.out == null) return;
    int id = kind == Kinds.LOCK || kind == Kinds.UNLOCK ? Ids.metHeld(o, t, site) : Ids.met(o, t);
    if (isPrivateKind(kind) && isLeftOut(t, id)) return;
    if (kind == Kinds.CHANGE) Ids.write(id);
    touch(t, id, o);
    t.record(kind, id, 0, value, site, Stripes.moment(t, id));
  }

  /** What matters only if another thread has to do with the object. */
  static boolean isPrivateKind(int kind) {
    return kind <= Kinds.ATOMIC_UPDATE || kind == Kinds.LOCK || kind == Kinds.UNLOCK || kind == Kinds.LOOK || kind == Kinds.CHANGE || kind == Kinds.LOOK_ATOMIC || kind == Kinds.CHANGE_ATOMIC;
  }

  /** An object of the JDK, or an array, that is in this field. */
  public static void held(Object o, int field) {
    heldBy(o, field, here());
  }

  public static void held(Object o, int field, Task t) {
    heldBy(o, field, t != null ? t : here());
  }

  private static void heldBy(Object o, int field, Task t) {
    try {
      if (t == null || o == null || t.inside != 0 || t.out == null || t.named[field & (Task.NAMED - 1)] == o) return;
      name(t, o, field);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  @DontInline
  private static void name(Task t, Object o, int field) {
    t.named[field & (Task.NAMED - 1)] = o;
    int id = Ids.of(o, t);
    if (Block.of(id).name(id)) t.info(Kinds.HELD, id, field, 0);
  }

  // Classes.

  /** The JVM has begun already, and lets others wait: the gate was before, where the class is used. */
  public static void initialising(int type, int site) {
    try {
      if (!Task.on) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      if (t.stripe >= 0) lost(t);
      if (!t.begun) Threads.begin(t);
      t.steps++;
      Classes.begin(t, type);
      t.record(Kinds.ONCE_BEGIN, 0, type, 0, site, Stripes.moment(t, -type));
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  public static void initialised(int type, int site) {
    try {
      Task t = step(Kinds.ONCE_END, null, site);
      if (t == null) return;
      t.record(Kinds.ONCE_END, 0, type, 0, site, Stripes.moment(t, -type));
      Classes.end(t, type);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  /** Before an access to a static field, a new object or a static call of a class that has something to initialise. */
  public static void uses(int type, int site) {
    try {
      if (!Task.on) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      if (type < t.initialised.length && t.initialised[type]) return;
      Classes.uses(t, type, site);
    } catch (VirtualMachineError e) {
      noRoom = true;
    }
  }

  static Task taskFor(int kind, Object object, int site) {
    return step(kind, object, site);
  }
}
