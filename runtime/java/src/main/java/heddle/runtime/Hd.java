package heddle.runtime;

/**
 * What observed code calls: around every access to memory and every monitor. An access has two halves, before and after: in between a stripe is held, unless the object is
 * of this thread alone. Nothing here throws, and nothing here calls back.
 */
public final class Hd {
  private Hd() {}

  // Steps.

  /** The task at hand before its next step, or null where nothing is to be done. */
  private static Task step(int kind, Object object, int site) {
    if (!Task.on) return null;
    Task t = Task.current();
    if (t == null || t.inside != 0) return null;
    if (t.stripe >= 0) lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, object, site);
    return t;
  }

  /** The second half of the access before never came: it threw, or called something of the program. */
  static void lost(Task t) {
    if (t.stripe >= 0) Stripes.unlock(t.stripe);
    t.stripe = -1;
    t.open = false;
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

  /** Begins an access; the stripe is held afterwards where that is needed. */
  private static void open(Task t, int kind, int object, int field, int site, int stripe) {
    t.kind = kind;
    t.object = object;
    t.field = field;
    t.site = site;
    t.open = true;
    if (Config.localOrder) return;
    if (object != 0) {
      if (!Ids.isShared(object)) {
        if (Ids.owner(object) == t.id) return;
        touch(t, object);
      }
    }
    Stripes.lock(stripe);
    t.stripe = stripe;
  }

  private static void close(Task t, long value) {
    int stripe = t.stripe;
    if (stripe >= 0) {
      t.record(t.kind, t.object, t.field, value, t.site, Stripes.tick(t, stripe));
      t.stripe = -1;
      Stripes.unlock(stripe);
    } else t.record(t.kind, t.object, t.field, value, t.site, ++t.clock);
    t.open = false;
  }

  // Fields. `field`: its number; negative: it is volatile.

  public static void read(Object o, int field, int site) {
    if (o == null) return;
    Task t = step(field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, o, site);
    if (t == null || t.out == null) return;
    t.inside++;
    int id = Ids.of(o, t);
    t.inside--;
    open(t, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, id, Math.abs(field), site, Stripes.ofObject(id, 0));
  }

  public static void readStatic(int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, null, site);
    if (t == null || t.out == null) return;
    open(t, field < 0 ? Kinds.ATOMIC_READ : Kinds.READ, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
  }

  private static void write(Object o, int field, int site, long value, Task t) {
    t.inside++;
    int id = Ids.of(o, t);
    t.inside--;
    open(t, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, id, Math.abs(field), site, Stripes.ofObject(id, 0));
    t.before = value;
  }

  private static void writeStatic(int field, int site, long value, Task t) {
    open(t, field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, 0, Math.abs(field), site, Stripes.ofObject(0, Math.abs(field)));
    t.before = value;
  }

  public static void writeI(Object o, int value, int field, int site) {
    if (o == null) return;
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, o, site);
    if (t != null && t.out != null) write(o, field, site, value, t);
  }

  public static void writeJ(Object o, long value, int field, int site) {
    if (o == null) return;
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, o, site);
    if (t != null && t.out != null) write(o, field, site, value, t);
  }

  public static void writeA(Object o, Object value, int field, int site) {
    if (o == null) return;
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, o, site);
    if (t != null && t.out != null) write(o, field, site, Words.of(value, t), t);
  }

  public static void writeStaticI(int value, int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, null, site);
    if (t != null && t.out != null) writeStatic(field, site, value, t);
  }

  public static void writeStaticJ(long value, int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, null, site);
    if (t != null && t.out != null) writeStatic(field, site, value, t);
  }

  public static void writeStaticA(Object value, int field, int site) {
    Task t = step(field < 0 ? Kinds.ATOMIC_WRITE : Kinds.WRITE, null, site);
    if (t != null && t.out != null) writeStatic(field, site, Words.of(value, t), t);
  }

  // Arrays.

  private static int lengthOf(Object array) {
    return array instanceof Object[] ? ((Object[]) array).length : array instanceof int[] ? ((int[]) array).length : array instanceof byte[] ? ((byte[]) array).length : array instanceof long[] ? ((long[]) array).length : array instanceof double[] ? ((double[]) array).length : array instanceof char[] ? ((char[]) array).length : array instanceof boolean[] ? ((boolean[]) array).length : array instanceof float[] ? ((float[]) array).length : ((short[]) array).length;
  }

  private static Task element(Object array, int index, int kind, int site) {
    if (array == null || index < 0 || index >= lengthOf(array)) return null;
    Task t = step(kind, array, site);
    if (t == null || t.out == null) return null;
    t.inside++;
    int id = Ids.of(array, t);
    t.inside--;
    open(t, kind, id, index, site, Stripes.ofObject(id, index >>> 3));
    return t;
  }

  public static void load(Object array, int index, int site) {
    if (Task.on) element(array, index, Kinds.READ, site);
  }

  public static void storeI(Object array, int index, int value, int site) {
    if (!Task.on) return;
    Task t = element(array, index, Kinds.WRITE, site);
    if (t != null) t.before = value;
  }

  public static void storeJ(Object array, int index, long value, int site) {
    if (!Task.on) return;
    Task t = element(array, index, Kinds.WRITE, site);
    if (t != null) t.before = value;
  }

  public static void storeA(Object array, int index, Object value, int site) {
    if (!Task.on) return;
    if (array == null || value != null && !array.getClass().getComponentType().isInstance(value)) return;
    Task t = Task.current();
    long word = t == null || t.inside != 0 || t.out == null ? 0 : Words.of(value, t);
    t = element(array, index, Kinds.WRITE, site);
    if (t != null) t.before = word;
  }

  // The second halves.

  public static void sawI(int value) {
    Task t = opened();
    if (t != null) close(t, value);
  }

  public static void sawJ(long value) {
    Task t = opened();
    if (t != null) close(t, value);
  }

  public static void sawF(float value) {
    Task t = opened();
    if (t != null) close(t, Float.floatToRawIntBits(value));
  }

  public static void sawD(double value) {
    Task t = opened();
    if (t != null) close(t, Double.doubleToRawLongBits(value));
  }

  public static void sawA(Object value) {
    Task t = opened();
    if (t == null) return;
    // A number for the object is found before: its table has locks of its own.
    close(t, Words.of(value, t));
  }

  public static void wrote() {
    Task t = opened();
    if (t != null) close(t, t.before);
  }

  private static Task opened() {
    if (!Task.on) return null;
    Task t = Task.current();
    return t != null && t.inside == 0 && t.open ? t : null;
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

  public static void initialising(int type, int site) {
    Task t = step(Kinds.ONCE_BEGIN, null, site);
    if (t == null) return;
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
