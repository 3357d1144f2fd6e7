package heddle.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Records of a full piece, made short: a loop does the same again and again, so each record is compared with what came after its predecessor's place the last time. A byte says what is the same;
 * the rest follows as variable-length numbers. src/frontends/java/short-records.ts reads it.
 */
final class Short {
  private static final int SLOTS = 1024;
  /** A byte of flags, and at most five bytes for each of six numbers and ten for the stamp. */
  private static final int MOST = 41;
  private static final int HEAD = 8;

  private final int[] place = new int[SLOTS];
  private final long[] where = new long[SLOTS];
  private final long[] value = new long[SLOTS];
  private byte[] out = new byte[0];
  private int at;

  /** Makes a block: how many bytes follow its head, how many records those are, and they themselves. Gives its length. */
  int of(LongBuffer records, int words) {
    int count = words / Records.WORDS;
    if (out.length < HEAD + count * MOST) out = new byte[HEAD + count * MOST];
    Arrays.fill(place, 0);
    Arrays.fill(where, 0);
    Arrays.fill(value, 0);
    at = HEAD;
    encode(records, words);
    ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN).putInt(at - HEAD).putInt(count);
    return at;
  }

  byte[] bytes() {
    return out;
  }

  private void encode(LongBuffer records, int words) {
    byte[] out = this.out;
    int slot = 0;
    int step = 0;
    long stamp = 0;
    for (int i = 0; i < words; i += Records.WORDS) {
      long first = records.get(i);
      int nowPlace = (int) first;
      int nowStep = (int) (first >>> 32);
      long nowWhere = records.get(i + 1);
      long nowValue = records.get(i + 2);
      long nowStamp = records.get(i + 3);
      int flags = 0;
      int head = at++;
      if (nowPlace != place[slot]) {
        flags |= 1;
        number(nowPlace);
        place[slot] = nowPlace;
      }
      long moved = nowWhere ^ where[slot];
      if (moved != 0) {
        if ((int) moved != 0) {
          flags |= 2;
          number((int) moved);
        }
        if (moved >>> 32 != 0) {
          flags |= 4;
          number((int) (moved >>> 32));
        }
        where[slot] = nowWhere;
      }
      long changed = nowValue ^ value[slot];
      if (changed != 0) {
        flags |= 8;
        number((int) changed);
        if (changed >>> 32 != 0) {
          flags |= 16;
          number((int) (changed >>> 32));
        }
        value[slot] = nowValue;
      }
      if (nowStep != step + 1) {
        flags |= 32;
        number(nowStep - step);
      }
      long later = nowStamp - stamp;
      if (later == 1) flags |= 64;
      else if (later != 0) {
        flags |= 128;
        while (later >>> 7 != 0) {
          out[at++] = (byte) (later | 0x80);
          later >>>= 7;
        }
        out[at++] = (byte) later;
      }
      out[head] = (byte) flags;
      step = nowStep;
      stamp = nowStamp;
      slot = (nowPlace ^ nowPlace >>> 10) & (SLOTS - 1);
    }
  }

  /** Seven bits a byte, the lowest first. */
  private void number(int n) {
    while (n >>> 7 != 0) {
      out[at++] = (byte) (n | 0x80);
      n >>>= 7;
    }
    out[at++] = (byte) n;
  }
}
