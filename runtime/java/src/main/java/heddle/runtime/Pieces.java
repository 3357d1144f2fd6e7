package heddle.runtime;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * The file of one thread: a head, three pieces that are mapped, and behind them what was in pieces that were full, made short (Short.java). Records are written into one of the pieces, so
 * that they are there however the program ends. The last word of the head says which piece it is and how much is behind them: it is stored at once, so whoever reads the file has each record once.
 * The first piece is small: most threads need no other. Pages of a file that are new cost more than all the rest of a record, so the pieces are used again and again.
 */
final class Pieces {
  static final int HEAD = 64;
  private static final int STATE = 56;
  private static final int FIRST = 256 * 1024;
  private static final int LATER = 2 * 1024 * 1024;
  /** A thread that is virtual has small ones. */
  private static final int SMALL = 16;

  private final FileChannel channel;
  private final RandomAccessFile file;
  private final int small;
  private final LongBuffer[] pieces = new LongBuffer[3];
  private final LongBuffer head;
  private int current;
  private long behind;
  private Short shorter;

  Pieces(Task task) throws IOException {
    file = new RandomAccessFile(new File(Config.folder, "threads/" + task.id + ".raw"), "rw");
    channel = file.getChannel();
    small = Threads.isVirtual(task.thread) ? SMALL : 1;
    ByteBuffer bytes = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put("HDJAVA02".getBytes(StandardCharsets.US_ASCII));
    bytes.putInt(task.id).putInt(task.parent == null ? 0 : task.parent.id);
    bytes.put(task.name.getBytes(StandardCharsets.US_ASCII));
    bytes.putLong(STATE, state());
    file.write(bytes.array());
    head = map(0, HEAD);
    pieces[0] = fresh(0);
  }

  /** What is behind the pieces, which of them is written to, and are they small? */
  private long state() {
    return behind << 8 | current << 1 | (small == SMALL ? 1 : 0);
  }

  private int sizeOf(int piece) {
    return (piece == 0 ? FIRST : LATER) / small;
  }

  private long offsetOf(int piece) {
    return HEAD + (piece == 0 ? 0 : sizeOf(0)) + (piece == 2 ? sizeOf(1) : 0);
  }

  LongBuffer piece() {
    return pieces[current];
  }

  /** A channel is closed where the thread that uses it is interrupted: that waits until the piece is mapped. */
  private LongBuffer map(long offset, int size) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return channel.map(FileChannel.MapMode.READ_WRITE, offset, size).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private static final byte[] ZEROS = new byte[64 * 1024];

  /** Zeros are really written: a hole in a file that no room is left for would end the program when it is filled. */
  private LongBuffer fresh(int piece) throws IOException {
    int size = sizeOf(piece);
    file.seek(offsetOf(piece));
    for (int done = 0; done < size; done += ZEROS.length) file.write(ZEROS, 0, Math.min(ZEROS.length, size - done));
    return map(offsetOf(piece), size);
  }

  /** What is in the piece at hand, `words` of it, is kept. Gives the next one, which is empty. */
  LongBuffer next(int words) throws IOException {
    int to = current == 1 ? 2 : 1;
    if (pieces[1] == null) {
      pieces[1] = fresh(1);
      pieces[2] = fresh(2);
      shorter = new Short();
    }
    LongBuffer full = pieces[current];
    int length = shorter.of(full, words);
    file.seek(offsetOf(2) + sizeOf(2) + behind);
    file.write(shorter.bytes(), 0, length);
    behind += length;
    current = to;
    head.put(STATE / 8, state());
    for (int i = 0; i < words; i++) full.put(i, 0);
    return pieces[to];
  }

  /** Nothing follows: where it is still in its first piece the file ends with its last record. */
  void close(int words) {
    try {
      if (current == 0) file.setLength(HEAD + words * 8L);
      file.close();
    } catch (IOException e) {
      // it stays as it is
    }
  }
}
