package heddle.runtime;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * The file of one thread: records of 32 bytes in a mapped piece, so that they are there however the program ends. When a piece is full, accesses to objects that no
 * other thread has touched are dropped, and the room is used again.
 */
final class Records {
  static final int HEAD = 64;
  static final int RECORD = 32;
  private static final int FIRST = 256 * 1024;
  private static final int PIECE = 4 * 1024 * 1024;

  private final Task task;
  private final RandomAccessFile file;
  private MappedByteBuffer piece;
  private long offset;
  private int at;
  private int end;
  /** No room on the disk. */
  private static volatile boolean full;

  private Records(Task task, RandomAccessFile file) {
    this.task = task;
    this.file = file;
  }

  static Records open(Task task) {
    if (full) return null;
    try {
      RandomAccessFile file = new RandomAccessFile(new File(Config.folder, "threads/" + task.id + ".raw"), "rw");
      ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
      head.put("HDJAVA01".getBytes(StandardCharsets.US_ASCII));
      head.putInt(task.id).putInt(task.parent == null ? 0 : task.parent.id);
      head.put(task.name.getBytes(StandardCharsets.US_ASCII));
      file.write(head.array());
      Records records = new Records(task, file);
      records.offset = HEAD;
      records.map(FIRST);
      return records;
    } catch (IOException e) {
      noRoom(e);
      return null;
    }
  }

  private static void noRoom(IOException e) {
    if (!full) Result.line("note Recording stopped: " + e.getMessage() + ". What was recorded until then is looked at.");
    full = true;
  }

  /** Zeros are really written: a hole in a file that no room is left for would end the program when it is filled. */
  private void map(int size) throws IOException {
    byte[] zeros = new byte[64 * 1024];
    file.seek(offset);
    for (int left = size; left > 0; left -= zeros.length) file.write(zeros, 0, Math.min(left, zeros.length));
    piece = file.getChannel().map(FileChannel.MapMode.READ_WRITE, offset, size);
    piece.order(ByteOrder.LITTLE_ENDIAN);
    at = 0;
    end = size;
  }

  void add(int kind, int object, int field, long value, int site, long step, long stamp) {
    if (at == end && !next()) return;
    MappedByteBuffer b = piece;
    int i = at;
    b.putInt(i + 4, (int) step);
    b.putInt(i + 8, object);
    b.putInt(i + 12, field);
    b.putLong(i + 16, value);
    b.putLong(i + 24, stamp);
    b.putInt(i, kind | site << 8);
    at = i + RECORD;
  }

  private boolean next() {
    if (full) return false;
    drop();
    if (at <= end / 2) {
      task.flooded = true;
      return true;
    }
    offset += at;
    try {
      map(PIECE);
      return true;
    } catch (IOException e) {
      noRoom(e);
      return false;
    }
  }

  /** Accesses to objects of this thread alone. */
  private void drop() {
    MappedByteBuffer b = piece;
    int to = 0;
    for (int from = 0; from < at; from += RECORD) {
      int kind = b.getInt(from) & 0xff;
      int object = b.getInt(from + 8);
      boolean access = kind <= Kinds.WRITE || kind == Kinds.OBJECT || kind == Kinds.HELD || kind == Kinds.LOCK || kind == Kinds.UNLOCK || kind == Kinds.LOOK || kind == Kinds.CHANGE;
      if (access && object > 1 && !Ids.isShared(object)) continue;
      if (kind == Kinds.READ && object == 0 && !Statics.isWritten(b.getInt(from + 12))) continue;
      if (to != from) for (int k = 0; k < RECORD; k += 8) b.putLong(to + k, b.getLong(from + k));
      to += RECORD;
    }
    for (int i = to; i < at; i += 8) b.putLong(i, 0);
    at = to;
  }

  /** Nothing follows: the file ends with its last record. */
  void close() {
    try {
      file.setLength(offset + at);
      file.close();
    } catch (IOException e) {
      // it stays as it is
    }
  }
}
