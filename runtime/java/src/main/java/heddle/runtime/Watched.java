package heddle.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.vm.annotation.DontInline;

/** Records the calls that properties mention (Watches.java). A call is a step; its arguments and its result come with it. */
public final class Watched {
  private static final Map<String, List<String>> owners = new HashMap<>();

  private Watched() {}

  private static String simple(Class<?> type) {
    return Watches.simple(type.getName());
  }

  /** The class, those it extends, and what it implements, by their simple names. */
  private static List<String> ownersOf(Class<?> type) {
    synchronized (owners) {
      List<String> known = owners.get(type.getName());
      if (known != null) return known;
      Set<String> names = new LinkedHashSet<>();
      for (Class<?> one = type; one != null && one != Object.class; one = one.getSuperclass()) names.add(simple(one));
      for (Class<?> one = type; one != null; one = one.getSuperclass()) interfaces(one, names);
      List<String> list = new ArrayList<>(names);
      owners.put(type.getName(), list);
      return list;
    }
  }

  private static void interfaces(Class<?> type, Set<String> into) {
    for (Class<?> one : type.getInterfaces()) {
      if (one == Tagged.class) continue;
      into.add(simple(one));
      interfaces(one, into);
    }
  }

  static List<String> ownersOf(Object receiver, String type) {
    if (receiver != null) return ownersOf(receiver.getClass());
    List<String> list = new ArrayList<>();
    list.add(Watches.simple(type));
    return list;
  }

  /** Flags of a call: it is the execution of a method; it has no result. */
  public static final int EXECUTION = 1;
  public static final int NO_RESULT = 2;
  private static final int AFTER = 4;

  public static void before(Object receiver, String type, String name, int flags, int site) {
    record(receiver, 0, null, null, null, type, name, flags, site);
  }

  public static void before(Object receiver, Object first, String type, String name, int flags, int site) {
    record(receiver, 1, first, null, null, type, name, flags, site);
  }

  public static void before(Object receiver, Object[] args, String type, String name, int flags, int site) {
    record(receiver, args.length, args[0], args, null, type, name, flags, site);
  }

  public static void after(Object receiver, Object result, String type, String name, int flags, int site) {
    record(receiver, 0, null, null, result, type, name, flags | AFTER, site);
  }

  public static void after(Object receiver, Object first, Object result, String type, String name, int flags, int site) {
    record(receiver, 1, first, null, result, type, name, flags | AFTER, site);
  }

  public static void after(Object receiver, Object[] args, Object result, String type, String name, int flags, int site) {
    record(receiver, args.length, args[0], args, result, type, name, flags | AFTER, site);
  }

  /** What is wanted of one call: how many arguments, -1: nothing; and the number of its name. */
  private static final class Wanted {
    final String name;
    final int moment;
    final int args;
    final int number;

    Wanted(String name, int moment, int args, int number) {
      this.name = name;
      this.moment = moment;
      this.args = args;
      this.number = number;
    }
  }

  /** Per class of the receiver, and for calls without one: what was asked so far. Grows by copying. */
  private static final class Asked {
    private volatile Wanted[] all = new Wanted[16];
    private int size;

    /** Names are constants of the code: there is one of each. */
    private static int place(String name, int moment, int length) {
      return (name.hashCode() * 4 + moment) * 0x9E3779B1 >>> 8 & (length - 1);
    }

    Wanted find(String name, int moment) {
      Wanted[] now = all;
      for (int at = place(name, moment, now.length); now[at] != null; at = at + 1 & (now.length - 1)) {
        if (now[at].name == name && now[at].moment == moment) return now[at];
      }
      return null;
    }

    synchronized void add(Wanted one) {
      if (find(one.name, one.moment) != null) return;
      Wanted[] longer = new Wanted[2 * ++size > all.length ? all.length * 2 : all.length];
      for (Wanted old : all) if (old != null) put(longer, old);
      put(longer, one);
      all = longer;
    }

    private static void put(Wanted[] into, Wanted one) {
      int at = place(one.name, one.moment, into.length);
      while (into[at] != null) at = at + 1 & (into.length - 1);
      into[at] = one;
    }
  }

  private static final ClassValue<Asked> byClass =
      new ClassValue<Asked>() {
        @Override
        protected Asked computeValue(Class<?> type) {
          return new Asked();
        }
      };

  private static final Map<String, Asked> byName = new ConcurrentHashMap<>();

  private static Asked ofStatic(String type) {
    Asked known = byName.get(type);
    if (known == null) byName.put(type, known = new Asked());
    return known;
  }

  private static Wanted find(Object receiver, String type, String name, int flags, Task t) {
    int moment = (flags & EXECUTION) << 1 | (flags & AFTER) >> 2;
    Asked asked = receiver == null ? ofStatic(type) : byClass.get(receiver.getClass());
    Wanted one = asked.find(name, moment);
    return one != null ? one : findNew(asked, receiver, type, name, moment, t);
  }

  @DontInline
  private static Wanted findNew(Asked asked, Object receiver, String type, String name, int moment, Task t) {
    Wanted one;
    t.inside++;
    try {
      asked.add(one = wanted(receiver, type, name, moment));
    } finally {
      t.inside--;
    }
    return one;
  }

  private static Wanted wanted(Object receiver, String type, String name, int moment) {
    boolean execution = moment >= 2;
    boolean after = (moment & 1) != 0;
    List<String> chain = ownersOf(receiver, type);
    int args = -1;
    boolean byClass = false;
    for (Watches.Watch one : Watches.all) {
      if (!one.isOf(name, execution, after) || !one.fits(chain)) continue;
      args = Math.max(args, one.args);
      byClass |= execution && one.name.indexOf('.') >= 0;
    }
    if (args < 0) return new Wanted(name, moment, args, 0);
    String shown = !execution ? String.join(":", chain) + "." + name : byClass && !chain.isEmpty() ? chain.get(0) + "." + name : name;
    int number = Tables.type(shown);
    Tables.flush();
    return new Wanted(name, moment, args, number);
  }

  /** Strings are told with what is in them: conditions speak of that. */
  @DontInline
  private static long operand(Object value, Task t) {
    long word = Words.of(value, t);
    if (value instanceof String) Tables.text(word, (String) value);
    return word;
  }

  @DontInline
  private static void record(Object receiver, int count, Object first, Object[] args, Object result, String type, String name, int flags, int site) {
    try {
      if (!Task.on) return;
      Task t = Task.current();
      if (t == null || t.inside != 0) return;
      Wanted found = find(receiver, type, name, flags, t);
      if (found.args >= 0) add(t, found, receiver, Math.min(found.args, count), first, args, result, flags, site);
    } catch (VirtualMachineError e) {
      Hd.noRoom = true;
    }
  }

  @DontInline
  private static void add(Task t, Wanted found, Object receiver, int given, Object first, Object[] args, Object result, int flags, int site) {
    boolean after = (flags & AFTER) != 0;
    int kind = (flags & EXECUTION) != 0 ? after ? Kinds.EXIT : Kinds.ENTER : after ? Kinds.RETURN : Kinds.CALL;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, receiver, site);
    if (t.out == null) return;
    int id = receiver == null ? 0 : Ids.of(receiver, t);
    if (id != 0) share(t, id, receiver);
    if (id != 0 && Hd.isLeftOut(t, id) && !bringsOther(first, args, given, t)) return;
    t.record(kind, id, found.number, id == 0 || receiver instanceof Tagged ? id : Words.of(receiver, t), site, Stripes.moment(t, id));
    for (int i = 0; i < given; i++) t.info(Kinds.ARGUMENT, id, i + 1, operand(args == null ? first : args[i], t));
    if (after && (flags & NO_RESULT) == 0) t.info(Kinds.ARGUMENT, id, 0, operand(result, t));
  }

  /** An iterator of what threads share is of interest to them, too. */
  @DontInline
  private static void share(Task t, int id, Object receiver) {
    Hd.touch(t, id, receiver);
    if (receiver instanceof Tagged) return;
    int whole = Ids.met(receiver, t);
    if (whole != id && Ids.isShared(whole) && !Ids.isShared(id)) Alone.share(t, Block.of(id), id, receiver);
  }

  /** Is one of the arguments something that threads share? */
  @DontInline
  private static boolean bringsOther(Object first, Object[] args, int given, Task t) {
    for (int i = 0; i < given; i++) {
      long word = Words.of(args == null ? first : args[i], t);
      if (word > 1 && word <= Integer.MAX_VALUE && !Ids.isOwn((int) word, t)) return true;
    }
    return false;
  }
}
