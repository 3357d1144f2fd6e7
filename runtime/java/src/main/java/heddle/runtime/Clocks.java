package heddle.runtime;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What the program reads of clocks, and the random numbers it begins with: the first ones of each thread are written down in the recorded run, and replays give the same to
 * the thread of the same name. A clock that is read more often goes on from there by the real one. Observed code calls this instead of the JDK; to read a clock is no step.
 */
public final class Clocks {
  private static final int MILLIS = 0;
  private static final int NANOS = 1;
  private static final int INSTANT = 2;
  private static final int RANDOM = 3;
  /** Of each sleep: 1 where an interrupt ended it. */
  private static final int SLEEP = 4;
  private static final int KINDS = 5;
  /** Of each kind, in each thread. */
  private static final int MOST = 4096;

  /** What one thread has read, or is to read. */
  static final class Read {
    private final long[][] values = new long[KINDS][];
    private final int[] count = new int[KINDS];
    /** Replays: how many of them were given so far, and the real clock at the last one. */
    private final int[] given = new int[KINDS];
    private final long[] since = new long[KINDS];

    private void add(int kind, long value) {
      int n = count[kind];
      if (n == MOST) return;
      long[] all = values[kind];
      if (all == null) values[kind] = all = new long[16];
      else if (n == all.length) {
        all = new long[n * 2];
        System.arraycopy(values[kind], 0, all, 0, n);
        values[kind] = all;
      }
      all[n] = value;
      count[kind] = n + 1;
    }
  }

  private static final Map<String, Read> recorded = new HashMap<>();

  private Clocks() {}

  /** What the recorded run has read: lines of `NAME TAB KIND TAB VALUES`, with spaces between them. */
  static void load(File file) throws IOException {
    if (!file.isFile()) return;
    for (String line : new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8).split("\n")) {
      String[] parts = line.split("\t");
      if (parts.length < 3) continue;
      Read read = recorded.get(parts[0]);
      if (read == null) recorded.put(parts[0], read = new Read());
      int kind = Integer.parseInt(parts[1]);
      for (String one : parts[2].split(" ")) read.add(kind, Long.parseLong(one));
    }
  }

  /** A thread ends, or the JVM does: what it has read is kept. */
  static void keep(Task t) {
    Read read = t.clocks;
    t.clocks = null;
    if (read == null || Config.mode != Config.RECORD) return;
    StringBuilder text = new StringBuilder();
    for (int kind = 0; kind < KINDS; kind++) {
      if (read.count[kind] == 0) continue;
      text.append(t.name).append('\t').append(kind).append('\t');
      for (int i = 0; i < read.count[kind]; i++) text.append(i == 0 ? "" : " ").append(read.values[kind][i]);
      text.append('\n');
    }
    if (text.length() > 0) AccessController.doPrivileged((PrivilegedAction<Object>) () -> write(text.toString()));
  }

  private static synchronized Object write(String text) {
    try (FileOutputStream out = new FileOutputStream(new File(Config.folder, "clocks"), true)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // replays see other times
    }
    return null;
  }

  static void keepAll() {
    Task[] all = Task.all;
    for (int i = 0, n = Task.count; i < n; i++) keep(all[i]);
  }

  /** What the thread gets: in a recorded run the real one, in a replay what it was then. `unit`: how much the value grows in a nanosecond, as 1/unit; 0: not at all. */
  private static long given(int kind, long real, long unit) {
    Task t = Task.current();
    if (t == null || t.inside != 0) return real;
    if (Config.mode == Config.RECORD) {
      if (t.clocks == null) t.clocks = new Read();
      t.clocks.add(kind, real);
      return real;
    }
    if (Config.mode != Config.REPLAY) return real;
    if (t.clocks == null && (t.clocks = recorded.get(t.name)) == null) t.clocks = new Read();
    Read read = t.clocks;
    int n = read.count[kind];
    if (n == 0) return real;
    if (read.given[kind] < n) {
      read.since[kind] = System.nanoTime();
      return read.values[kind][read.given[kind]++];
    }
    return unit == 0 ? real : read.values[kind][n - 1] + (System.nanoTime() - read.since[kind]) / unit;
  }

  /** Recording: a sleep is over. */
  static void slept(Task t, boolean interrupted) {
    if (Config.mode != Config.RECORD) return;
    if (t.clocks == null) t.clocks = new Read();
    t.clocks.add(SLEEP, interrupted ? 1 : 0);
  }

  /** Replays: was it an interrupt that ended this sleep in the recorded run? */
  static boolean wasInterrupted() {
    return given(SLEEP, 0, 0) == 1;
  }

  public static long currentTimeMillis() {
    return given(MILLIS, System.currentTimeMillis(), 1_000_000);
  }

  public static long nanoTime() {
    return given(NANOS, System.nanoTime(), 1);
  }

  private static final long SECOND = 1_000_000_000L;

  /** For the `now` of java.time. */
  public static Clock now() {
    Instant real = Instant.now();
    long nanos = given(INSTANT, real.getEpochSecond() * SECOND + real.getNano(), 1);
    return Clock.fixed(Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND)), ZoneId.systemDefault());
  }

  /** For `new Random()`. */
  public static long seed() {
    return given(RANDOM, ThreadLocalRandom.current().nextLong() ^ System.nanoTime(), 0);
  }

  /** `Math.random()`. */
  public static double random() {
    return Double.longBitsToDouble(given(RANDOM, Double.doubleToRawLongBits(Math.random()), 0));
  }
}
