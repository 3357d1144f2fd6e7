package heddle.runtime;

import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.AllPermission;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.Permissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The entry point, started before the program: `-javaagent:heddle-agent.jar`. The folder that `HEDDLE_JAVA` names says what to do. */
public final class Agent {
  private Agent() {}

  public static void premain(String args, Instrumentation instrumentation) {
    String folder = args != null && !args.isEmpty() ? args : System.getenv("HEDDLE_JAVA");
    if (folder == null || folder.isEmpty()) return;
    try {
      if (!Config.read(folder)) return;
      boolean meant = isMeant() && Config.own();
      Config.told(meant, command());
      if (!meant) return;
      Result.open();
      Result.line("start " + System.getProperty("java.version") + "|" + System.getProperty("java.home"));
      begin(instrumentation);
    } catch (Throwable e) {
      say("heddle: the agent could not begin: " + e);
      if (Config.folder != null) {
        try {
          Result.line("failed " + e);
        } catch (Throwable other) {
          // said already
        }
      }
    }
  }

  private static String command() {
    return System.getProperty("sun.java.command", "");
  }

  /** Build tools and compilers start the program in a JVM of its own, but for `mvn exec:java`. */
  private static boolean isMeant() {
    String command = command();
    if (command.startsWith("org.codehaus.plexus.classworlds.launcher.Launcher")) return command.matches("(?s).*\\bexec(-maven-plugin)?(:[\\w.-]+)?:java\\b.*");
    String[] tools = {"org.gradle.", "worker.org.gradle.", "org.apache.maven.wrapper.", "com.sun.tools.", "jdk.compiler/", "jdk.jartool/", "sun.tools.", "jdk.jcmd/"};
    for (String one : tools) if (command.startsWith(one) && !command.contains("com.sun.tools.javac.launcher")) return false;
    return true;
  }

  private static void say(String text) {
    System.err.println(text);
  }

  private static void begin(Instrumentation instrumentation) throws Exception {
    Modules.begin(instrumentation);
    if (Config.mode != Config.PLAIN) {
      sameRandom();
      Compilers.begin();
    }
    Constructor<?> rewriter = rewriter();
    Task main = Task.add(Thread.currentThread(), null);
    Threads.main = main;
    main.inside++;
    instrumentation.addTransformer((ClassFileTransformer) rewriter.newInstance(true), true);
    instrumentation.addTransformer((ClassFileTransformer) rewriter.newInstance(false), false);
    List<Class<?>> own = new ArrayList<>();
    for (String name : JDK) {
      try {
        own.add(Class.forName(name, false, null));
      } catch (ClassNotFoundException e) {
        // another JDK
      }
    }
    prepareJdk(instrumentation, own);
    prepareAll(rewriter.getDeclaringClass().getClassLoader());
    Stuck.begin();
    main.inside--;
    Runtime.getRuntime().addShutdownHook(new End());
  }

  /** All at once, because each time the JVM stops and looks at all its classes; where that fails one after the other. */
  private static void prepareJdk(Instrumentation instrumentation, List<Class<?>> own) {
    own.removeIf((one) -> !instrumentation.isModifiableClass(one));
    try {
      instrumentation.retransformClasses(own.toArray(new Class<?>[0]));
      return;
    } catch (Throwable e) {
      // which one?
    }
    for (Class<?> one : own) {
      try {
        instrumentation.retransformClasses(one);
      } catch (Throwable e) {
        Result.line("note " + one.getName() + " of this JDK could not be prepared (" + e + "): what it does is not seen.");
      }
    }
  }

  /** All of ours is loaded now, not in the middle of something: a class whose initialisation finds no stack left is lost for good. */
  private static void prepareAll(ClassLoader apart) throws Exception {
    try (JarFile all = new JarFile(jar())) {
      for (JarEntry entry : Collections.list(all.entries())) {
        String name = entry.getName();
        if (!name.endsWith(".class")) continue;
        Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), true, name.startsWith("heddle/rewrite/") ? apart : Agent.class.getClassLoader());
      }
    }
  }

  static final class End extends Thread {
    End() {
      super("heddle end");
    }

    @Override
    public void run() {
      Stuck.tellIfAllWait();
      Threads.exiting(-1);
    }
  }

  /** Classes of the JDK that get hooks of their own: rewrite/JdkHooks.java says which. */
  private static final String[] JDK = {
    "java.lang.Module",
    "java.lang.Thread",
    "java.lang.VirtualThread",
    "java.lang.Shutdown",
    "java.util.concurrent.locks.LockSupport",
    "java.util.concurrent.ThreadPoolExecutor",
    "java.util.concurrent.ThreadPerTaskExecutor",
    "java.util.concurrent.ScheduledThreadPoolExecutor",
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.CompletableFuture$UniCompletion",
    "java.util.concurrent.CompletableFuture$BiRelay",
    "java.util.concurrent.CompletableFuture$BiApply",
    "java.util.concurrent.CompletableFuture$BiAccept",
    "java.util.concurrent.CompletableFuture$BiRun",
    "java.util.concurrent.ExecutorCompletionService",
    "java.util.concurrent.ForkJoinTask",
    "java.util.concurrent.ForkJoinPool",
    "java.util.HashMap$HashIterator",
    "java.util.LinkedHashMap$LinkedHashIterator",
    "java.util.TreeMap$PrivateEntryIterator",
    "java.util.ArrayList$Itr",
    "java.util.LinkedList$ListItr",
  };

  /** Pools choose by numbers of ThreadLocalRandom whose work is done first: a replay has those of the recorded run. */
  private static void sameRandom() {
    try {
      Field seeder = ThreadLocalRandom.class.getDeclaredField("seeder");
      seeder.setAccessible(true);
      ((AtomicLong) seeder.get(null)).set(SEED);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // another JDK: pools may choose differently
    }
  }

  private static final long SEED = 0x9E3779B97F4A7C15L;

  /** The rewriter and ASM are loaded apart: the program may have its own ASM. */
  private static Constructor<?> rewriter() throws Exception {
    File jar = jar();
    URL[] urls = {jar.toURI().toURL(), new File(jar.getParentFile(), "asm.jar").toURI().toURL()};
    ClassLoader loader = new Apart(urls);
    return Class.forName("heddle.rewrite.Rewriter", true, loader).getConstructor(Boolean.class);
  }

  private static File jar() throws Exception {
    String path = ClassLoader.getSystemResource("heddle/runtime/Agent.class").getPath();
    return new File(new java.net.URI(path.substring(0, path.indexOf('!'))));
  }

  private static final class Apart extends URLClassLoader {
    Apart(URL[] urls) {
      super(urls, null);
    }

    @Override
    protected PermissionCollection getPermissions(CodeSource source) {
      Permissions all = new Permissions();
      all.add(new AllPermission());
      return all;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("heddle.rewrite.") && !name.startsWith("org.objectweb.asm.")) return super.loadClass(name, resolve);
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }
  }
}
