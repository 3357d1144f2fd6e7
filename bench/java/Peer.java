import com.vmlens.api.AllInterleavings;
import com.vmlens.api.AllInterleavingsBuilder;
import java.util.Arrays;

/** Runs a program once between the two calls that make VMLens record it: CLASS ARGUMENTS. */
public class Peer {
  public static void main(String[] args) throws Exception {
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    try (AllInterleavings once = new AllInterleavingsBuilder().withMaximumIterations(1).build("once")) {
      if (once.hasNext()) Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    }
  }
}
