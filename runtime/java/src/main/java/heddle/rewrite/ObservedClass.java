package heddle.rewrite;

import heddle.runtime.Tables;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class of the program: its methods get hooks, and its objects room for a number. */
final class ObservedClass extends ClassVisitor {
  private static final String TAGGED = "heddle/runtime/Tagged";

  private final ClassLoader loader;
  /** Methods that stay as they are. */
  private final Set<String> left;
  private final Map<String, MethodInfo> methods;
  /** Are frames whole, or do they say what is different from the one before? */
  private final boolean whole;
  private String name;
  private String source;
  private String superName;
  private int version;
  private boolean tagged;
  private boolean isInterface;

  ObservedClass(ClassVisitor next, ClassLoader loader, Set<String> left, Map<String, MethodInfo> methods) {
    super(Opcodes.ASM9, next);
    this.loader = loader;
    this.left = left;
    this.methods = methods;
    whole = MethodInfo.anyKeepsTask(methods);
  }

  @Override
  public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
    this.name = name;
    this.version = version & 0xffff;
    this.superName = superName;
    isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    boolean isRecord = "java/lang/Record".equals(superName);
    // The topmost class of the program in its line has the number.
    tagged = !isInterface && !isRecord && !Rewriter.isObserved(superName, loader);
    String[] all = interfaces;
    if (tagged) {
      all = new String[interfaces.length + 1];
      System.arraycopy(interfaces, 0, all, 0, interfaces.length);
      all[interfaces.length] = TAGGED;
      if (signature != null) signature += "L" + TAGGED + ";";
    }
    super.visit(version, access, name, signature, superName, all);
  }

  @Override
  public void visitSource(String source, String debug) {
    this.source = source;
    super.visitSource(source, debug);
  }

  @Override
  public MethodVisitor visitMethod(int access, String method, String desc, String signature, String[] exceptions) {
    boolean stays = left.contains(method + desc) || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
    if (stays) return super.visitMethod(access, method, desc, signature, exceptions);
    // The monitor of a class is a constant since Java 5.
    boolean monitor = (access & Opcodes.ACC_SYNCHRONIZED) != 0 && (version >= Opcodes.V1_5 || (access & Opcodes.ACC_STATIC) == 0);
    int now = monitor && !Bounds.ofJvm() ? access & ~Opcodes.ACC_SYNCHRONIZED : access;
    MethodVisitor next = super.visitMethod(now, method, desc, signature, exceptions);
    return new ObservedMethod(next, new Place(name, superName, source, method, loader), desc, (access & Opcodes.ACC_STATIC) != 0, monitor, version, methods.get(method + desc), whole);
  }

  @Override
  public void visitEnd() {
    if (tagged) {
      int hidden = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;
      FieldVisitor field = super.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC, "$hd", "I", null, null);
      field.visitEnd();
      MethodVisitor get = super.visitMethod(hidden | Opcodes.ACC_FINAL, "$hd", "()I", null, null);
      get.visitCode();
      get.visitVarInsn(Opcodes.ALOAD, 0);
      get.visitFieldInsn(Opcodes.GETFIELD, name, "$hd", "I");
      get.visitInsn(Opcodes.IRETURN);
      get.visitMaxs(1, 1);
      get.visitEnd();
      MethodVisitor set = super.visitMethod(hidden | Opcodes.ACC_FINAL, "$hd", "(I)V", null, null);
      set.visitCode();
      set.visitVarInsn(Opcodes.ALOAD, 0);
      set.visitVarInsn(Opcodes.ILOAD, 1);
      set.visitFieldInsn(Opcodes.PUTFIELD, name, "$hd", "I");
      set.visitInsn(Opcodes.RETURN);
      set.visitMaxs(2, 2);
      set.visitEnd();
    }
    super.visitEnd();
  }

  /** Where code is. */
  static final class Place {
    final String owner;
    final String superName;
    final String source;
    final String method;
    final ClassLoader loader;

    Place(String owner, String superName, String source, String method, ClassLoader loader) {
      this.owner = owner;
      this.superName = superName;
      this.source = source;
      this.method = method;
      this.loader = loader;
    }

    private int lastLine = -1;
    private int lastSite;

    int site(int line) {
      if (line != lastLine) lastSite = Tables.site(owner, method, source, line);
      lastLine = line;
      return lastSite;
    }
  }
}
