package heddle.runtime;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/**
 * The JVM's second compiler leaves the rewriter and ASM alone. They are used while classes are loaded and then never again, and that compiler took as long for them as the program took
 * for all it did. Told as `jcmd Compiler.directives_add` would, in this process; a JVM that does not know it compiles as it likes.
 */
final class Compilers {
  private static final String DIRECTIVES = 
      "[{match: [\"org/objectweb/asm/*.*\", \"heddle/rewrite/*.*\", \"heddle/runtime/Tables.*\", \"heddle/runtime/Result.*\", \"heddle/runtime/Watches*.*\"],"
          + " c2: {Exclude: true}}]\n";

  private Compilers() {}

  static void begin() {
    try {
      // It loads the library that has the native method.
      Class<?> library = Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl");
      Modules.opens(library, "com.sun.management.internal");
      Class<?> commands = Class.forName("com.sun.management.internal.DiagnosticCommandImpl", false, library.getClassLoader());
      Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
      execute.setAccessible(true);
      File file = new File(Config.folder, "directives");
      Files.write(file.toPath(), DIRECTIVES.getBytes(StandardCharsets.UTF_8));
      execute.invoke(made(commands), "Compiler.directives_add \"" + file.getAbsolutePath() + "\"");
    } catch (Exception | LinkageError e) {
      // another JVM
    }
  }

  /** Without its constructor, which would begin to watch the JVM. */
  private static Object made(Class<?> type) throws Exception {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    return unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type);
  }
}
