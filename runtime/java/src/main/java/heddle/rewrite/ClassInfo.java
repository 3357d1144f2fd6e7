package heddle.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What a class file says of itself, read without loading the class: so that what is rewritten does not depend on which class came first. */
final class ClassInfo {
  final String superName;
  final String[] interfaces;
  final Map<String, Integer> fields = new HashMap<>();
  boolean initialises;

  private ClassInfo(String superName, String[] interfaces) {
    this.superName = superName;
    this.interfaces = interfaces;
  }

  private static final ClassInfo NONE = new ClassInfo(null, new String[0]);
  private static final Map<String, ClassInfo> known = new ConcurrentHashMap<>();

  /** Null where there is no such file. */
  static ClassInfo of(String name, ClassLoader loader) {
    String key = name.startsWith("java/") ? name : numberOf(loader) + " " + name;
    ClassInfo info = known.get(key);
    if (info == null) known.put(key, info = read(name, loader));
    return info == NONE ? null : info;
  }

  private static final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

  /** Not by its identity hash code: the program's own would be others than without us. */
  private static synchronized int numberOf(ClassLoader loader) {
    for (int i = 0; i < loaders.size(); i++) if (loaders.get(i).get() == loader) return i;
    loaders.add(new WeakReference<>(loader));
    return loaders.size() - 1;
  }

  private static ClassInfo read(String name, ClassLoader loader) {
    try (InputStream in = loader == null ? ClassLoader.getSystemResourceAsStream(name + ".class") : loader.getResourceAsStream(name + ".class")) {
      return in == null ? NONE : parse(new ClassReader(in));
    } catch (IOException | RuntimeException e) {
      return NONE;
    }
  }

  static ClassInfo parse(ClassReader reader) {
    ClassInfo info = new ClassInfo(reader.getSuperName(), reader.getInterfaces());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(int access, String name, String desc, String signature, Object value) {
            // A constant is in the code of who uses it.
            info.fields.put(name + " " + desc, access);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            if (name.equals("<clinit>")) info.initialises = true;
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return info;
  }

  /** Is the class of this name, or one above it, `base`? */
  static boolean isA(String name, String base, ClassLoader loader) {
    for (int depth = 0; name != null && depth < 50; depth++) {
      if (name.equals(base)) return true;
      if (name.equals("java/lang/Object") || name.startsWith("[")) return false;
      ClassInfo info = of(name, loader);
      if (info == null) return false;
      for (String one : info.interfaces) if (isA(one, base, loader)) return true;
      name = info.superName;
    }
    return false;
  }

  /** The class that declares a field, and its modifiers. */
  static final class Field {
    final String owner;
    final int access;

    Field(String owner, int access) {
      this.owner = owner;
      this.access = access;
    }
  }

  /** -1: not found. */
  static Field field(String owner, String name, String desc, ClassLoader loader) {
    Field found = find(owner, name + " " + desc, loader, 0);
    return found != null ? found : new Field(owner, -1);
  }

  private static Field find(String owner, String key, ClassLoader loader, int depth) {
    if (owner == null || depth > 50) return null;
    ClassInfo info = of(owner, loader);
    if (info == null) return null;
    Integer access = info.fields.get(key);
    if (access != null) return new Field(owner, access);
    for (String one : info.interfaces) {
      Field found = find(one, key, loader, depth + 1);
      if (found != null) return found;
    }
    return find(info.superName, key, loader, depth + 1);
  }
}
