package heddle.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * Delay mode, for programs that do not do the same twice (seed 001, section 3.4): threads run freely, and who comes to a place is held there until another thread has been at
 * the other place with the same object. The same as runtime/native/delay.c.
 */
final class Delays {
  private static final class Hold {
    String[] places;
    int kind;
    String[] until;
    int untilKind;
    int most;
    long ms;
    int from;
    int inVain;
    Object heldObject;
    Task held;
    boolean released;
  }

  private static final List<Hold> holds = new ArrayList<>();

  private Delays() {}

  /** `PLACES KIND UNTIL-PLACES UNTIL-KIND MOST MS FROM`, tabs between them. */
  static void addHold(String text) {
    String[] parts = text.split("\t");
    Hold h = new Hold();
    h.places = parts[0].split(",");
    h.kind = Integer.parseInt(parts[1]);
    h.until = parts[2].split(",");
    h.untilKind = Integer.parseInt(parts[3]);
    h.most = Integer.parseInt(parts[4]);
    h.ms = Long.parseLong(parts[5]);
    h.from = Integer.parseInt(parts[6]);
    holds.add(h);
  }

  private static boolean isAt(String[] places, int wanted, int kind, String place) {
    if (wanted != 0 && wanted != kind) return false;
    for (String one : places) if (one.equals(place)) return true;
    return false;
  }

  static void pass(Task t, int kind, Object object, int site) {
    t.until = t.steps; // it asks every time
    String place = Tables.place(site);
    if (place.isEmpty() || Gate.isOpen()) return;
    for (int i = 0; i < holds.size(); i++) {
      Hold h = holds.get(i);
      synchronized (h) {
        if (h.held != null && h.held != t && isAt(h.until, h.untilKind, kind, place) && (h.heldObject == object || h.heldObject == null || object == null)) {
          h.released = true;
          h.notifyAll();
        }
      }
    }
    for (int i = 0; i < holds.size(); i++) {
      Hold h = holds.get(i);
      synchronized (h) {
        if (!isAt(h.places, h.kind, kind, place) || h.held != null || h.inVain >= h.most) continue;
        boolean early = ++t.passes < h.from;
        long ms = early ? Math.max(1, h.ms / 16) : h.ms;
        h.held = t;
        h.heldObject = object;
        h.released = false;
        Result.line("delay " + (i + 1) + " held");
        long end = System.nanoTime() + ms * 1_000_000;
        t.inside++;
        boolean interrupted = false;
        while (!h.released && !Gate.isOpen()) {
          long left = (end - System.nanoTime()) / 1_000_000;
          if (left <= 0) break;
          try {
            h.wait(left);
          } catch (InterruptedException e) {
            interrupted = true;
            break;
          }
        }
        if (h.released) {
          try {
            h.wait(2); // the other one does it first
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
        t.inside--;
        if (interrupted) Thread.currentThread().interrupt();
        Result.line("delay " + (i + 1) + (h.released ? " released" : " gave-up"));
        if (!h.released && !early) h.inVain++;
        h.held = null;
        h.heldObject = null;
      }
    }
  }
}
