package heddle.runtime;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Output during a run: lines of the file `result`, and of `tables` (names of places, fields and classes). */
final class Result {
  private static FileOutputStream out;
  private static FileOutputStream tables;
  private static final StringBuilder rows = new StringBuilder();

  private Result() {}

  static void open() throws IOException {
    out = new FileOutputStream(new File(Config.folder, "result"), true);
    tables = new FileOutputStream(new File(Config.folder, "tables"), true);
  }

  static synchronized void line(String text) {
    try {
      out.write((clean(text) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // nothing can be said
    }
  }

  private static String clean(String text) {
    return text.replace('\n', '\u0001').replace('\r', ' ');
  }

  static synchronized void row(String text) {
    rows.append(clean(text)).append('\n');
  }

  private static final int SOME = 8192;

  /** What nothing depends on. */
  static synchronized void flushSome() {
    if (rows.length() > SOME) flushRows();
  }

  /** Names are written before records that use them. */
  static synchronized void flushRows() {
    if (rows.length() == 0) return;
    try {
      tables.write(rows.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // nothing can be said
    }
    rows.setLength(0);
  }
}
