package heddle.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls that properties speak of: which, and how they are recorded. A call is a step; its arguments and its result come with it. */
public final class Watched {
  private static final class Watch {
    final boolean execution;
    final String owner;
    final boolean subclasses;
    final String name;
    final boolean before;
    final boolean after;
    final int args;

    /** `KIND OWNER SUBCLASSES NAME WHEN ARGS`, tabs between them; an owner of `-` is none. */
    Watch(String text) {
      String[] parts = text.split("\t");
      execution = parts[0].equals("execution");
      owner = parts[1].equals("-") ? null : parts[1];
      subclasses = parts[2].equals("1");
      name = parts[3];
      before = parts[4].contains("before");
      after = parts[4].contains("after");
      args = Integer.parseInt(parts[5]);
    }

    boolean fits(List<String> owners) {
      if (execution || "*".equals(owner)) return true;
      if (owner == null) return owners.isEmpty();
      if (subclasses) {
        for (String one : owners) if (glob(owner, one)) return true;
        return false;
      }
      return !owners.isEmpty() && glob(owner, owners.get(0));
    }
  }

  private static final List<Watch> all = new ArrayList<>();
  private static final Map<String, List<String>> owners = new HashMap<>();

  private Watched() {}

  static void add(String text) {
    all.add(new Watch(text));
  }

  private static boolean glob(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) return pattern.equals(name);
    if (!name.startsWith(pattern.substring(0, star))) return false;
    String rest = pattern.substring(star + 1);
    for (int at = star; at <= name.length(); at++) if (glob(rest, name.substring(at))) return true;
    return false;
  }

  /** Does some property speak of calls, or executions, of this name? */
  public static boolean wants(String name, boolean execution) {
    for (Watch one : all) if (one.execution == execution && glob(one.name, name)) return true;
    return false;
  }

  private static String simple(Class<?> type) {
    String name = type.getName();
    name = name.substring(name.lastIndexOf('.') + 1);
    return name.replace('$', '.');
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

  private static List<String> ownersOf(Object receiver, String type) {
    if (receiver != null) return ownersOf(receiver.getClass());
    List<String> list = new ArrayList<>();
    list.add(type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('.')) + 1).replace('$', '.'));
    return list;
  }

  public static void before(Object receiver, Object[] args, String type, String name, int execution, int site) {
    record(receiver, args, null, type, name, execution != 0, site, false);
  }

  public static void after(Object receiver, Object[] args, Object result, String type, String name, int execution, int site) {
    record(receiver, args, new Object[] {result}, type, name, execution != 0, site, true);
  }

  private static void record(Object receiver, Object[] args, Object[] result, String type, String name, boolean execution, int site, boolean after) {
    if (!Task.on) return;
    Task t = Task.current();
    if (t == null || t.inside != 0) return;
    t.inside++;
    List<String> chain = null;
    int wanted = -1;
    try {
      for (Watch one : all) {
        if (one.execution != execution || !(after ? one.after : one.before) || !glob(one.name, name)) continue;
        if (chain == null) chain = ownersOf(receiver, type);
        if (one.fits(chain)) wanted = Math.max(wanted, one.args);
      }
    } finally {
      t.inside--;
    }
    if (wanted < 0) return;
    int kind = execution ? after ? Kinds.EXIT : Kinds.ENTER : after ? Kinds.RETURN : Kinds.CALL;
    if (t.stripe >= 0) Hd.lost(t);
    if (!t.begun) Threads.begin(t);
    if (++t.steps > t.until) Gate.gate(t, kind, receiver, site);
    if (t.out == null) return;
    t.inside++;
    try {
      int number = Tables.type(String.join(":", chain) + "." + name);
      Tables.flush();
      int id = receiver == null ? 0 : Ids.of(receiver, t);
      Hd.touch(t, id);
      t.record(kind, id, number, receiver == null ? 0 : Words.of(receiver, t), site, Stripes.moment(t, id));
      for (int i = 0; i < args.length && i < wanted; i++) t.info(Kinds.ARGUMENT, id, i + 1, Words.of(args[i], t));
      if (after) t.info(Kinds.ARGUMENT, id, 0, Words.of(result[0], t));
    } finally {
      t.inside--;
    }
  }
}
