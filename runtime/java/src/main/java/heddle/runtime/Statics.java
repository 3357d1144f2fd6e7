package heddle.runtime;

/** Static fields that were written since there is a second thread. What nobody writes need not be recorded. */
final class Statics {
  private static volatile boolean[] written = new boolean[4096];

  private Statics() {}

  static boolean isWritten(int field) {
    boolean[] all = written;
    return field < all.length && all[field];
  }

  static void write(int field) {
    boolean[] all = written;
    if (field < all.length) {
      if (!all[field]) all[field] = true;
    } else grow(field);
  }

  private static synchronized void grow(int field) {
    if (field < written.length) {
      written[field] = true;
      return;
    }
    boolean[] longer = new boolean[Math.max(field + 1, written.length * 2)];
    System.arraycopy(written, 0, longer, 0, written.length);
    longer[field] = true;
    written = longer;
  }
}
