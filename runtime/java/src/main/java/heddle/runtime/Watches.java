package heddle.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which calls properties mention. The rewriter asks for every call in observed code. */
public final class Watches {
  static final class Watch {
    final boolean execution;
    final String owner;
    final boolean subclasses;
    final String name;
    final boolean before;
    final boolean after;
    final int args;
    final List<String> except;

    /** `KIND OWNER SUBCLASSES NAME WHEN ARGS EXCEPT`, tabs between them; an owner of `-` is none. */
    Watch(String text) {
      String[] parts = text.split("\t");
      execution = parts[0].equals("execution");
      owner = parts[1].equals("-") ? null : parts[1];
      subclasses = parts[2].equals("1");
      name = parts[3];
      before = parts[4].contains("before");
      after = parts[4].contains("after");
      args = Integer.parseInt(parts[5]);
      except = parts.length > 6 ? Arrays.asList(parts[6].split(",")) : Collections.<String>emptyList();
    }

    /** Executions may be named with their class: `Foo.run`. */
    String method() {
      return execution ? name.substring(name.lastIndexOf('.') + 1) : name;
    }

    boolean isOf(String called, boolean executed, boolean later) {
      return execution == executed && (later ? after : before) && glob(method(), called);
    }

    boolean fits(List<String> owners) {
      if (execution) {
        int dot = name.lastIndexOf('.');
        if (dot < 0) return true;
        for (String one : owners) if (glob(name.substring(0, dot), one)) return true;
        return false;
      }
      if (!owners.isEmpty() && except.contains(owners.get(0))) return false;
      if ("*".equals(owner)) return true;
      if (owner == null) return owners.isEmpty();
      if (subclasses) {
        for (String one : owners) if (glob(owner, one)) return true;
        return false;
      }
      return !owners.isEmpty() && glob(owner, owners.get(0));
    }
  }

  static final List<Watch> all = new ArrayList<>();

  private Watches() {}

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

  /** Does some property speak of calls, or executions, of this name at this moment? `type`: of the receiver, as far as the code says it. */
  public static boolean wants(String type, String name, boolean execution, boolean after) {
    if (named(name).isEmpty()) return false;
    String simple = simple(type);
    for (Watch one : named(name)) if (one.isOf(name, execution, after) && !one.except.contains(simple)) return true;
    return false;
  }

  private static final Map<String, List<Watch>> byMethod = new ConcurrentHashMap<>();

  /** Every call that is rewritten asks, and most names come often. */
  private static List<Watch> named(String name) {
    List<Watch> known = byMethod.get(name);
    if (known != null) return known;
    List<Watch> found = new ArrayList<>();
    for (Watch one : all) if (glob(one.method(), name)) found.add(one);
    byMethod.put(name, found);
    return found;
  }

  /** How many arguments of them are wanted at most. */
  public static int argsOf(String name, boolean execution, boolean after) {
    int most = 0;
    for (Watch one : named(name)) if (one.isOf(name, execution, after)) most = Math.max(most, one.args);
    return most;
  }

  /** Of a call without a receiver all is known before: does some property speak of it? */
  public static boolean wantsStatic(String type, String name) {
    List<String> chain = Watched.ownersOf(null, type);
    for (Watch one : all) if (!one.execution && glob(one.method(), name) && one.fits(chain)) return true;
    return false;
  }

  static String simple(String type) {
    return type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('.')) + 1).replace('$', '.');
  }
}
