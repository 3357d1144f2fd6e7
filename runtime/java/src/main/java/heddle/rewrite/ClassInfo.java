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
import org.objectweb.asm.Type;

/** Reads what a class file declares without loading the class, so that rewriting does not depend on the order of loading. */
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
  private static final Map<String, ClassInfo> ofJdk = new ConcurrentHashMap<>();

  /** Null where there is no such file. */
  static ClassInfo of(String name, ClassLoader loader) {
    boolean isJdk = name.startsWith("java/");
    Map<String, ClassInfo> known = isJdk ? ofJdk : Known.of(loader).classes;
    ClassInfo info = known.get(name);
    if (info == null) {
      info = isJdk ? loaded(name) : null;
      known.put(name, info = info != null ? info : read(name, loader));
    }
    return info == NONE ? null : info;
  }

  /** What was read for one loader. Not by its identity hash code: the program's own would be others than without us. */
  private static final class Known {
    private static final List<Known> all = new ArrayList<>();

    final WeakReference<ClassLoader> loader;
    final Map<String, ClassInfo> classes = new ConcurrentHashMap<>();

    private Known(ClassLoader loader) {
      this.loader = new WeakReference<>(loader);
    }

    static synchronized Known of(ClassLoader loader) {
      for (Known one : all) if (one.loader.get() == loader) return one;
      Known made = new Known(loader);
      all.add(made);
      return made;
    }
  }

  /** A class of java.base says faster what it is than its file; it is loaded for that, and not initialised. Its fields are those that a class of the program may inherit. */
  private static ClassInfo loaded(String name) {
    try {
      Class<?> type = Class.forName(name.replace('/', '.'), false, null);
      Class<?> above = type.getSuperclass();
      Class<?>[] interfaces = type.getInterfaces();
      String[] names = new String[interfaces.length];
      for (int i = 0; i < names.length; i++) names[i] = nameOf(interfaces[i]);
      ClassInfo info = new ClassInfo(above != null ? nameOf(above) : type == Object.class ? null : "java/lang/Object", names);
      info.loaded = type;
      return info;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static String nameOf(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** A class that is loaded: its fields are asked for only where one is looked for. */
  private Class<?> loaded;

  private Integer access(String field) {
    if (loaded == null) return fields.get(field);
    for (java.lang.reflect.Field one : loaded.getDeclaredFields()) {
      if (field.equals(one.getName() + " " + Type.getDescriptor(one.getType()))) return one.getModifiers();
    }
    return null;
  }

  private static ClassInfo read(String name, ClassLoader loader) {
    try (InputStream in = ClassFiles.open(name, loader)) {
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
    Integer access = info.access(key);
    if (access != null) return new Field(owner, access);
    for (String one : info.interfaces) {
      Field found = find(one, key, loader, depth + 1);
      if (found != null) return found;
    }
    return find(info.superName, key, loader, depth + 1);
  }
}
