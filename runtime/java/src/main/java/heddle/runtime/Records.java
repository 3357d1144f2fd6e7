package heddle.runtime;

import java.io.IOException;
import java.nio.LongBuffer;

/**
 * The records of one thread, of 32 bytes each, in a piece of its file (Pieces.java). When a piece is full, accesses to objects that no other thread has touched, and reads of what nobody
 * writes, are dropped, and the room is used again.
 */
final class Records {
  /** Of eight bytes, of a record. */
  static final int WORDS = 4;

  private final Task task;
  private final Pieces file;
  private LongBuffer piece;
  /** In words. */
  private int at;
  private int end;
  /** No room on the disk. */
  private static volatile boolean full;

  private Records(Task task, Pieces file) {
    this.task = task;
    this.file = file;
    begin(file.piece());
  }

  private void begin(LongBuffer empty) {
    piece = empty;
    at = 0;
    end = empty.capacity();
  }

  static Records open(Task task) {
    if (full) return null;
    try {
      return new Records(task, new Pieces(task));
    } catch (IOException e) {
      noRoom(e);
      return null;
    }
  }

  private static void noRoom(IOException e) {
    if (!full) Result.line("note Recording stopped: " + e.getMessage() + ". What was recorded until then is looked at.");
    full = true;
  }

  /** The first word comes last: what is not whole is no record. */
  void add(int kind, int object, int field, long value, int site, long step, long stamp) {
    int i = at;
    if (i == end) {
      if (!next() || isDropped(kind, object, field)) return;
      i = at;
    }
    LongBuffer b = piece;
    b.put(i + 1, object & 0xffffffffL | (long) field << 32);
    b.put(i + 2, value);
    b.put(i + 3, stamp);
    b.put(i, kind & 0xffL | (site & 0xffffffL) << 8 | step << 32);
    at = i + WORDS;
  }

  private boolean next() {
    if (full) return false;
    Room.forMore();
    task.inside++;
    try {
      drop();
      if (at <= end / 4 * 3) {
        task.flooded = true;
        return true;
      }
      begin(file.next(at));
      return true;
    } catch (IOException e) {
      noRoom(e);
      return false;
    } finally {
      task.inside--;
    }
  }

  /** The record at hand goes where those before it have gone: from now on what its thread does with its own objects may leave none, and it would say something old. */
  private boolean isDropped(int kind, int object, int field) {
    return comesWithAnother(kind) ? without : isLeftOut(kind, object, field) && !isCall(kind);
  }

  private static boolean comesWithAnother(int kind) {
    return kind == Kinds.ARGUMENT || kind == Kinds.UPDATED;
  }

  /** Was the last record dropped? */
  private boolean without;

  /** What no other thread has to do with, and reads of what nobody writes. */
  private void drop() {
    LongBuffer b = piece;
    int to = 0;
    without = false;
    for (int from = 0; from < at; from += WORDS) {
      int kind = (int) b.get(from) & 0xff;
      int object = (int) b.get(from + 1);
      // What comes with a record goes with it.
      if (!comesWithAnother(kind)) without = isLeftOut(kind, object, (int) (b.get(from + 1) >>> 32)) && !(isCall(kind) && bringsOther(from));
      if (without) continue;
      if (to != from) for (int k = 0; k < WORDS; k++) b.put(to + k, b.get(from + k));
      to += WORDS;
    }
    for (int i = to; i < at; i++) b.put(i, 0);
    at = to;
  }

  private static boolean isLeftOut(int kind, int object, int field) {
    if (kind == Kinds.READ && object == 0) return !Statics.isWritten(field);
    if (object <= 1) return false;
    boolean about = Hd.isPrivateKind(kind) || kind == Kinds.OBJECT || kind == Kinds.HELD || isCall(kind);
    if (about && !Ids.isShared(object)) return true;
    return (kind == Kinds.READ || kind == Kinds.LOOK) && !Ids.isWritten(object);
  }

  private static boolean isCall(int kind) {
    return kind >= Kinds.CALL && kind <= Kinds.EXIT;
  }

  /** Is one of the arguments of the call something that threads share? */
  private boolean bringsOther(int call) {
    for (int i = call + WORDS; i < at && (piece.get(i) & 0xff) == Kinds.ARGUMENT; i += WORDS) {
      long value = piece.get(i + 2);
      if (value > 1 && value <= Integer.MAX_VALUE && Ids.isShared((int) value)) return true;
    }
    return false;
  }

  void close() {
    file.close(at);
  }
}
