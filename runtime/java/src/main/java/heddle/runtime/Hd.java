package heddle.runtime;

/**
 * What observed code calls around every access to memory and every monitor. An access has two halves: the first gives the task if there is something to record, and the second
 * gets it back; in between a stripe is held, unless the object is of this thread alone. Nothing here throws, and nothing here calls back. What is done for every access is
 * short enough to be put in line by the JVM.
 */
public final class Hd {
  private Hd() {}

  // Steps.

  /** The task at hand before its next step, or null where nothing is to be done. */
  private static Task step(int kind, Object object, int site) {
    if (!Task.on) return null;
    Task t = Task.current();
    if (t == null || t.inside != 0) return null;
    if (++t.steps > t.until) asks(t, kind, object, site);
    return t;
  }

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
  static void lost(Task t) {
    if (t.stripe >= 0) Stripes.unlock(t.stripe);
    t.stripe = -1;
    t.open = false;
    t.again = false;
  }

  /** Whose object is it? */
  static void touch(Task t, int id) {
    if (id <= 1 || Ids.isShared(id)) return;
    int owner = Ids.owner(id);
    if (owner == t.id) return;
    Ids.share(id);
    // What its thread did with it before has no stripe: it was before now.
    Task other = Task.all[owner];
    if (other != null && other.clock > t.clock) t.clock = other.clock;
  }

  /** Of a thread that has recorded much: what is its own is counted alone. */
  private static boolean isLeftOut(Task t, int id) {
    return t.flooded && !Ids.isShared(id) && Ids.owner(id) == t.id;
  }

  /** Begins an access; the stripe is held afterwards where that is needed. */
  private static Task open(Task t, int kind, int object, int field, int site, int stripe) {
    if (t.stripe >= 0) lost(t);
    t.kind = kind;
    t.object = object;
    t.field = field;
    t.site = site;
    t.open = true;
    if (Config.localOrder) return t;
    if (object != 0 && !Ids.isShared(object)) {
      if (Ids.owner(object) == t.id) return t;
      touch(t, object);
    }
    Stripes.lock(stripe);
    t.stripe = stripe;
    return t;
  }

  /** The same for a read. One that is made again, with nobody writing in between, needs no stripe. */
  private static Task openRead(Task t, int kind, int object, int field, int site, int stripe) {
    int at = site & (Task.SEEN - 1);
    if (t.seenSite[at] != site || t.seenObject[at] != object || t.seenField[at] != field || t.seenClock[at] != Stripes.lastWrite(stripe)) {
      return open(t, kind, object, field, site, stripe);
    }
    if (t.stripe >= 0) lost(t);
    t.kind = kind;
    t.object = object;
    t.field = field;
    t.site = site;
    t.open = true;
    t.again = true;
    t.at = stripe;
    return t;
  }

  private static void close(Task t, long value) {
    if (!t.open) return;
    int stripe = t.stripe;
    if (stripe >= 0) {
      boolean writes = t.kind == Kinds.WRITE || t.kind == Kinds.ATOMIC_WRITE;
      t.record(t.kind, t.object, t.field, value, t.site, writes ? Stripes.tick(t, stripe) : Stripes.tickRead(t, stripe));
      if (!writes) remember(t, value, stripe);
      t.stripe = -1;
      Stripes.unlock(stripe);
    } else if (t.again) {
      t.again = false;
      closeAgain(t, value);
    } else t.record(t.kind, t.object, t.field, value, t.site, ++t.clock);
    t.open = false;
  }

  private static void remember(Task t, long value, int stripe) {
    int at = t.site & (Task.SEEN - 1);
    t.seenSite[at] = t.site;
    t.seenObject[at] = t.object;
    t.seenField[at] = t.field;
    t.seenValue[at] = value;
    t.seenClock[at] = Stripes.lastWrite(stripe);
  }

  private static void closeAgain(Task t, long value) {
    int stripe = t.at;
    int at = t.site & (Task.SEEN - 1);
    if (t.seenValue[at] == value && t.seenClock[at] == Stripes.lastWrite(stripe)) return;
    Stripes.lock(stripe);
    t.record(t.kind, t.object, t.field, value, t.site, Stripes.tickRead(t, stripe));
    remember(t, value, stripe);
    Stripes.unlock(stripe);
  }

  // Fields. `field`: its number; negative: it is volatile.

  public static Task read(Object o, int field, int site) {
    if (o == null) return null;
    Task t = step(field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, o, site);
    return t == null || t.out == null ? null : readOf(t, o, field, site);
  }

  private static Task readOf(Task t, Object o, int field, int site) {
    int id = Ids.of(o, t);
    if (isLeftOut(t, id)) return null;
    return openRead(t, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, id, Math.abs(field), site, Stripes.ofObject(id, 0));
  }

  public static Task readStatic(int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, null, site);
    if (t == null || t.out == null || field > 0 && t.flooded && !Statics.isWritten(field)) return null;
    return openRead(t, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
  }

  public static Task write(Object o, int field, int site) {
    if (o == null) return null;
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, o, site);
    return t == null || t.out == null ? null : writeOf(t, o, field, site);
  }

  private static Task writeOf(Task t, Object o, int field, int site) {
    int id = Ids.of(o, t);
    if (isLeftOut(t, id)) return null;
    return open(t, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, id, Math.abs(field), site, Stripes.ofObject(id, 0));
  }

  public static Task writeStatic(int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, null, site);
    if (t == null || t.out == null) return null;
    if (field > 0) Statics.write(field);
    return open(t, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
  }

  // Arrays.

  public static Task load(Object array, int index, int site) {
    Task t = step(Kinds.READ, array, site);
    return t == null || t.out == null || array == null ? null : element(t, array, index, Kinds.READ, site);
  }

  public static Task store(Object array, int index, int site) {
    Task t = step(Kinds.WRITE, array, site);
    return t == null || t.out == null || array == null ? null : element(t, array, index, Kinds.WRITE, site);
  }

  /** An object goes into an array only if it fits. */
  public static Task storeA(Object array, int index, Object value, int site) {
    if (Task.on && array != null && value != null && !array.getClass().getComponentType().isInstance(value)) return null;
    return store(array, index, site);
  }

  private static Task element(Task t, Object array, int index, int kind, int site) {
    int id = Ids.ofOther(array, t);
    return isLeftOut(t, id) ? null : open(t, id, array, index, kind, site);
  }

  private static Task open(Task t, int id, Object array, int index, int kind, int site) {
    // The instruction throws.
    if (index < 0 || index >= lengthOf(array)) return null;
    int stripe = Stripes.ofObject(id, index >>> 3);
    return kind == Kinds.READ ? openRead(t, kind, id, index, site, stripe) : open(t, kind, id, index, site, stripe);
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
    if (t != null) close(t, Words.of(value, t));
  }

  // Monitors.

  public static void entering(Object o, int site) {
    if (o == null) return;
    if (!Task.on) {
      Threads.heldEarly(o, site);
      return;
    }
    try {
      Task t = step(Kinds.LOCK, o, site);
      if (t != null && Config.mode == Config.REPLAY) Monitors.enter(t, o, site);
    } catch (StackOverflowError e) {
      Gate.noStack = true;
      throw e;
    }
  }

  public static void entered(Object o, int site) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t != null && t.inside == 0) sync(t, Kinds.LOCK, o, 0, site);
  }

  public static void exiting(Object o, int site) {
    if (!Task.on) {
      Threads.releasedEarly(o);
      return;
    }
    try {
      Task t = step(Kinds.UNLOCK, o, site);
      if (t == null) return;
      sync(t, Kinds.UNLOCK, o, 0, site);
      if (Config.mode == Config.REPLAY) Monitors.exit(t, o);
    } catch (StackOverflowError e) {
      Gate.noStack = true;
      throw e;
    }
  }

  /** A record about an object that threads meet at. */
  static void sync(Task t, int kind, Object o, long value, int site) {
    if (t.out == null) return;
    t.inside++;
    try {
      int id = Ids.met(o, t);
      touch(t, id);
      t.record(kind, id, 0, value, site, Stripes.moment(t, id));
    } finally {
      t.inside--;
    }
  }

  /** An object of the JDK, or an array, that is in this field. */
  public static void held(Object o, int field) {
    if (!Task.on || o == null) return;
    Task t = Task.current();
    if (t == null || t.inside != 0 || t.out == null || t.named == o) return;
    t.named = o;
    t.inside++;
    int id = Ids.of(o, t);
    if (Ids.name(id)) t.info(Kinds.HELD, id, field, 0);
    t.inside--;
  }

  // Classes.

  /** The JVM has begun already, and lets others wait: the gate was before, where the class is used. */
  public static void initialising(int type, int site) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    if (t.stripe >= 0) lost(t);
    if (!t.begun) Threads.begin(t);
    t.steps++;
    Classes.begin(t, type);
    t.record(Kinds.ONCE_BEGIN, 0, type, 0, site, Stripes.moment(t, -type));
  }

  public static void initialised(int type, int site) {
    Task t = step(Kinds.ONCE_END, null, site);
    if (t == null) return;
    t.record(Kinds.ONCE_END, 0, type, 0, site, Stripes.moment(t, -type));
    Classes.end(t, type);
  }

  /** Before an access to a static field, a new object or a static call of a class that has something to initialise. */
  public static void uses(int type, int site) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    if (type < t.initialised.length && t.initialised[type]) return;
    Classes.uses(t, type, site);
  }

  static Task taskFor(int kind, Object object, int site) {
    return step(kind, object, site);
  }
}
