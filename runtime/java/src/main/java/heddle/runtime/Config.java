package heddle.runtime;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** The settings of the agent: the `config` file of docs/java-format.md. */
public final class Config {
  public static final int RECORD = 0;
  public static final int REPLAY = 1;
  public static final int DELAY = 2;
  public static final int PLAIN = 3;

  public static int mode = PLAIN;
  public static File folder;
  /** Are records written? In replays only where a picture is drawn. */
  public static boolean records;
  /** Task-local order only: no clocks. */
  public static boolean localOrder;
  static boolean lastFirst;
  static boolean goesOn;
  public static final List<String> include = new ArrayList<>();
  public static final List<String> exclude = new ArrayList<>();

  private Config() {}

  static boolean read(String path) throws IOException {
    folder = new File(path);
    File file = new File(folder, "config");
    if (!file.isFile()) return false;
    for (String line : new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8).split("\n")) {
      int space = line.indexOf(' ');
      if (space < 0) continue;
      String key = line.substring(0, space);
      String value = line.substring(space + 1);
      switch (key) {
        case "mode":
          mode = value.equals("record") ? RECORD : value.equals("replay") ? REPLAY : value.equals("delay") ? DELAY : PLAIN;
          records |= mode == RECORD;
          break;
        case "trace":
          records |= value.equals("1");
          break;
        case "order":
          localOrder = value.equals("task");
          break;
        case "last-first":
          lastFirst = value.equals("1");
          break;
        case "goes-on":
          goesOn = value.equals("1");
          break;
        case "include":
          include.add(value);
          break;
        case "exclude":
          exclude.add(value);
          break;
        case "watch":
          Watches.add(value);
          break;
        case "line":
          Lines.add(value);
          break;
        case "clocks":
          Clocks.load(new File(value));
          break;
        case "hold":
          Delays.addHold(value);
          break;
        default:
      }
    }
    return true;
  }

  /** Every JVM that was asked says what it is. */
  static void told(boolean meant, String command) {
    try (FileOutputStream out = new FileOutputStream(new File(folder, "jvms"), true)) {
      out.write(((meant ? "+ " : "- ") + command.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // nobody will know
    }
  }

  /** Only one process of those that were told: the first one. */
  static boolean own() {
    try {
      return new File(folder, "owner").createNewFile();
    } catch (IOException e) {
      return false;
    }
  }
}
