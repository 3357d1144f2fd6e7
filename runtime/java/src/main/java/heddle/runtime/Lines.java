package heddle.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * The schedule of a replay: lines that name a thread and the number of the step up to which it goes on, and which of them is the present one. Everything here is done with
 * the gate locked.
 */
final class Lines {
  private static final class Line {
    long upTo;
    int kind;
    boolean timesOut;
    /** Its last step is at one of these; none: anywhere. */
    String[] places;
    String name;
  }

  private static final List<Line> lines = new ArrayList<>();
  private static int line;
  private static boolean givenUp;

  /** Of the present line: its last step has been begun, at this place. */
  private static boolean begun;
  private static int begunSite;
  private static int begunKind;

  /** A program that does not do the same twice comes to the place of a line somewhat later: so many steps it is waited for. */
  private static final int MOST_DRIFT = 5000;
  /** So many steps without a wait, and the next thread gets the turn: it may be spinning for what another one does. */
  private static final int QUANTUM = 20000;

  private Lines() {}

  /** `UPTO KIND FLAGS PLACES NAME`, tabs between them; places with commas, `0`: any. */
  static void add(String text) {
    String[] parts = text.split("\t");
    Line l = new Line();
    l.upTo = Long.parseLong(parts[0]);
    l.kind = Integer.parseInt(parts[1]);
    l.timesOut = parts[2].equals("1");
    l.places = parts[3].equals("0") ? new String[0] : parts[3].split(",");
    l.name = parts[4];
    lines.add(l);
  }

  /** Is there a line to carry out? */
  static boolean more() {
    return !givenUp && line < lines.size();
  }

  /** Of the present line. */
  static String name() {
    return lines.get(line).name;
  }

  static boolean timesOut() {
    return lines.get(line).timesOut;
  }

  static boolean isOf(Task t) {
    return more() && name().equals(t.name);
  }

  /** The number of the last step of the present line, which is of this thread. */
  static long end(Task t) {
    return lines.get(line).upTo + t.drift;
  }

  static void done() {
    Result.line("line " + (line + 1) + " " + begunKind + " " + Tables.place(begunSite));
    line++;
    begun = false;
    begunSite = 0;
    begunKind = 0;
  }

  static void giveUp(String why) {
    if (!more()) return;
    Result.line("gave-up " + (line + 1) + " " + why);
    givenUp = true;
  }

  /** Nobody is held any more. */
  static void finish() {
    if (more() && begun) done();
  }

  /** The thread has taken its steps before this one. */
  static void settle(Task t, long standsBefore) {
    while (isOf(t) && standsBefore > end(t)) done();
  }

  /** The first line that still needs the thread. */
  static int firstOf(Task t) {
    for (int l = line; !givenUp && l < lines.size(); l++) {
      if (lines.get(l).name.equals(t.name) && lines.get(l).upTo + t.drift >= t.steps) return l;
    }
    return Integer.MAX_VALUE;
  }

  private static boolean isAt(Line l, int kind, int site) {
    if (kind != 0 && l.kind != 0 && l.kind != kind) return false;
    if (l.places.length == 0 || site == 0) return true;
    String place = Tables.place(site);
    for (String one : l.places) if (one.equals(place)) return true;
    return false;
  }

  /** With the turn, before step `t.steps`: how far may it go without asking? */
  static void setUntil(Task t, int kind, int site) {
    if (!more()) {
      t.until = t.steps + QUANTUM;
      return;
    }
    Line l = lines.get(line);
    if (!l.name.equals(t.name)) {
      t.until = t.steps;
      return;
    }
    if (t.steps < end(t)) {
      t.until = end(t) - 1;
      return;
    }
    t.until = t.steps;
    if (isAt(l, kind, site)) {
      begun = true;
      begunSite = site;
      begunKind = kind;
      t.tries = 0;
    } else if (l.places.length > 0 && t.tries++ < MOST_DRIFT) {
      t.drift++;
    } else {
      giveUp("it does something else there: " + l.name);
      t.until = t.steps + QUANTUM;
    }
  }
}
