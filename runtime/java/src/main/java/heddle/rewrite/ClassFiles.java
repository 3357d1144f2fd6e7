package heddle.rewrite;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Class files of the program, by name. The loader of the class path would first ask every module of the JDK for each of them, so its jars and folders are looked through here; what is not
 * found, and what other loaders have, the loader is asked for.
 */
final class ClassFiles {
  private static List<Object> path;

  private ClassFiles() {}

  /** Null where there is none. */
  static InputStream open(String name, ClassLoader loader) throws IOException {
    String file = name + ".class";
    if (loader == null) return ClassLoader.getSystemResourceAsStream(file);
    InputStream found = loader == ClassLoader.getSystemClassLoader() ? onPath(file) : null;
    return found != null ? found : loader.getResourceAsStream(file);
  }

  private static InputStream onPath(String file) throws IOException {
    for (Object part : path()) {
      if (part instanceof File) {
        File at = new File((File) part, file);
        if (at.isFile()) return Files.newInputStream(at.toPath());
        continue;
      }
      ZipEntry entry = ((JarFile) part).getEntry(file);
      if (entry != null) return ((JarFile) part).getInputStream(entry);
    }
    return null;
  }

  /** Folders and jars, in the order in which the loader looks. */
  private static synchronized List<Object> path() {
    if (path != null) return path;
    List<Object> all = new ArrayList<>();
    try {
      for (String one : System.getProperty("java.class.path", "").split(File.pathSeparator)) add(new File(one), all, new HashSet<>());
    } catch (Exception e) {
      all.clear();
    }
    return path = all;
  }

  /** The jars that a jar names come right behind it. */
  private static void add(File file, List<Object> to, Set<File> seen) throws Exception {
    if (!seen.add(file)) return;
    if (file.isDirectory()) to.add(file);
    if (!file.isFile()) return;
    JarFile jar = ofThisVersion(file);
    to.add(jar);
    String others = jar.getManifest() == null ? null : jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    if (others == null) return;
    for (String one : others.trim().split("\\s+")) if (!one.isEmpty()) add(new File(file.toURI().resolve(one)), to, seen);
  }

  /** Some jars have other classes for newer JDKs; JDK 8 does not know of that. */
  private static JarFile ofThisVersion(File file) throws Exception {
    try {
      Object version = JarFile.class.getMethod("runtimeVersion").invoke(null);
      Constructor<JarFile> made = JarFile.class.getConstructor(File.class, boolean.class, int.class, version.getClass());
      return made.newInstance(file, false, ZipFile.OPEN_READ, version);
    } catch (NoSuchMethodException e) {
      return new JarFile(file, false);
    }
  }
}
