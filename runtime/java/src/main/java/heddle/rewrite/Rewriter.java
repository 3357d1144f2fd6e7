package heddle.rewrite;

import heddle.runtime.Config;
import heddle.runtime.Tables;
import java.lang.instrument.ClassFileTransformer;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;

/** Which classes are rewritten, and how: those of the program by ObservedClass, some of the JDK by JdkHooks. A class that cannot be rewritten stays as it is and is reported. */
public final class Rewriter implements ClassFileTransformer {
  private final boolean ofJdk;

  /** One of them is for the JDK, whose classes are loaded already, and one for the program. What the latter makes is kept by the JVM, for other agents that change a class again. */
  public Rewriter(Boolean ofJdk) {
    this.ofJdk = ofJdk;
  }

  /** The program may have a security manager; what is read here is read for Heddle. */
  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null) return null;
    return AccessController.doPrivileged((PrivilegedAction<byte[]>) () -> rewrite(loader, name, redefined, bytes));
  }

  private byte[] rewrite(ClassLoader loader, String name, Class<?> redefined, byte[] bytes) {
    try {
      if (ofJdk) return redefined != null && JdkHooks.knows(name) ? JdkHooks.rewrite(name, bytes) : null;
      if (loader == null || Config.mode == Config.PLAIN || !isObserved(name, loader)) return null;
      return observed(loader, name, bytes);
    } catch (Throwable e) {
      Tables.skipped(name, "it cannot be read: " + e);
      return null;
    } finally {
      Tables.flush();
    }
  }

  private static byte[] observed(ClassLoader loader, String name, byte[] bytes) {
    Set<String> left = new HashSet<>();
    Map<String, MethodInfo> methods = MethodInfo.in(bytes);
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ObservedClass(writer, loader, left, methods), MethodInfo.anyKeepsTask(methods) ? ClassReader.EXPAND_FRAMES : 0);
        byte[] made = writer.toByteArray();
        Tables.seen(name);
        for (String method : left) Tables.skipped(name + "." + method, "the method would be too large");
        return made;
      } catch (MethodTooLargeException e) {
        left.add(e.getMethodName() + e.getDescriptor());
      }
    }
    Tables.skipped(name, "its methods would be too large");
    return null;
  }

  private static final String[] NEVER = {
    "java/", "javax/", "jdk/", "sun/", "com/sun/", "heddle/", "org/objectweb/asm/", "org/junit/", "junit/", "org/opentest4j/", "org/apiguardian/", "org/hamcrest/",
    "org/mockito/", "net/bytebuddy/", "org/jacoco/", "org/apache/maven/", "org/codehaus/plexus/", "org/eclipse/sisu/", "org/eclipse/aether/", "com/google/inject/",
    "org/springframework/boot/loader/", "com/intellij/rt/", "org/graalvm/", "org/slf4j/", "org/testng/",
  };

  static boolean isObserved(String name, ClassLoader loader) {
    for (String one : Config.exclude) if (matches(name, one)) return false;
    for (String one : NEVER) if (name.startsWith(one)) return false;
    if (name.contains("$$Lambda") || name.contains("$Proxy")) return false;
    if (Config.include.isEmpty()) return true;
    for (String one : Config.include) if (matches(name, one)) return true;
    return false;
  }

  private static boolean matches(String name, String part) {
    return name.contains(part.replace('.', '/'));
  }
}
