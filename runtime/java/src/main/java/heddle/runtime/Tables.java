package heddle.runtime;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Numbers for places in the program, fields and classes. The rewriter asks for them, while classes are loaded. */
public final class Tables {
  private static final Map<String, Integer> sites = new HashMap<>();
  private static final Map<String, Integer> fields = new HashMap<>();
  private static final Map<String, Integer> classes = new HashMap<>();
  /** Site to its place: `pack/Name.method:12`. */
  private static String[] places = new String[1024];
  /** Site to its file. */
  private static String[] files = new String[1024];

  private Tables() {}

  public static synchronized int site(String owner, String method, String file, int line) {
    String place = owner + "." + method + ":" + line;
    Integer known = sites.get(place);
    if (known != null) return known;
    int id = sites.size() + 1;
    sites.put(place, id);
    if (id >= places.length) {
      places = java.util.Arrays.copyOf(places, places.length * 2);
      files = java.util.Arrays.copyOf(files, files.length * 2);
    }
    places[id] = place;
    files[id] = file;
    Result.row("s\t" + id + "\t" + owner + "\t" + method + "\t" + (file == null ? "" : file) + "\t" + line);
    return id;
  }

  static String place(int site) {
    String[] all = places;
    return site > 0 && site < all.length && all[site] != null ? all[site] : "";
  }

  /** As in stack traces: `pack.Name.method(Name.java:12)`. */
  static String shown(int site) {
    String place = place(site);
    if (place.isEmpty()) return "";
    int colon = place.lastIndexOf(':');
    int dot = place.lastIndexOf('.', colon);
    String owner = place.substring(0, dot).replace('/', '.');
    return new StackTraceElement(owner, place.substring(dot + 1, colon), files[site], Integer.parseInt(place.substring(colon + 1))).toString();
  }

  /** `access`: the modifiers of the field, -1 where its class was not found. */
  public static synchronized int field(String owner, String name, String desc, int access) {
    String key = owner + "." + name + " " + desc;
    Integer known = fields.get(key);
    if (known != null) return known;
    int id = fields.size() + 1;
    fields.put(key, id);
    Result.row("f\t" + id + "\t" + owner + "\t" + name + "\t" + desc + "\t" + access);
    return id;
  }

  public static synchronized int type(String name) {
    Integer known = classes.get(name);
    if (known != null) return known;
    int id = classes.size() + 1;
    classes.put(name, id);
    Result.row("c\t" + id + "\t" + name);
    return id;
  }

  private static final Set<Long> texts = new HashSet<>();
  private static final int MOST_TEXTS = 100_000;
  private static final int LONGEST = 200;

  static synchronized void text(long word, String text) {
    if (text.length() > LONGEST || texts.size() >= MOST_TEXTS || !texts.add(word)) return;
    Result.row("t\t" + Long.toHexString(word) + "\t" + text.replace('\t', ' '));
    Result.flushSome();
  }

  public static void flush() {
    Result.flushRows();
  }

  /** A class that is not observed, or only in part. */
  public static void skipped(String name, String why) {
    Result.row("k\t" + name + "\t" + why);
  }

  public static void seen(String name) {
    Result.row("o\t" + name);
  }
}
