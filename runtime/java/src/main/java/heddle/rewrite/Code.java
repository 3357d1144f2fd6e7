package heddle.rewrite;

import heddle.runtime.Tables;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The output for the code of a method, shared by the parts of the rewriter: the current line, and extra local variables for operands that have to be moved. */
final class Code {
  static final String OBJECT = "Ljava/lang/Object;";
  private static final String HD = "heddle/runtime/Hd";

  final MethodVisitor mv;
  final ObservedClass.Place place;
  /** The variable that has the task, in all of the method; -1: it is asked for at every access. */
  final int task;
  /** The first variable behind those of the method, and that. It is for the task between the two halves of an access. */
  final int behind;
  private int used;
  int line;

  Code(MethodVisitor mv, ObservedClass.Place place, MethodInfo info) {
    this.mv = mv;
    this.place = place;
    task = info.keepsTask() ? info.variables : -1;
    behind = info.variables + (info.keepsTask() ? 1 : 0);
    line = info.firstLine;
  }

  int site() {
    return place.site(line);
  }

  void push(int n) {
    if (n >= -1 && n <= 5) mv.visitInsn(Opcodes.ICONST_0 + n);
    else if (n >= Byte.MIN_VALUE && n <= Byte.MAX_VALUE) mv.visitIntInsn(Opcodes.BIPUSH, n);
    else if (n >= Short.MIN_VALUE && n <= Short.MAX_VALUE) mv.visitIntInsn(Opcodes.SIPUSH, n);
    else mv.visitLdcInsn(n);
  }

  void hook(String name, String desc) {
    call(HD, name, desc);
  }

  void call(String owner, String name, String desc) {
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, desc, false);
  }

  static boolean isWide(String desc) {
    return desc.equals("J") || desc.equals("D");
  }

  int store(String desc) {
    int at = temp(isWide(desc) ? 2 : 1);
    mv.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ISTORE), at);
    return at;
  }

  void load(String desc, int at) {
    mv.visitVarInsn(Type.getType(desc).getOpcode(Opcodes.ILOAD), at);
  }

  int temp(int size) {
    int at = behind + 1 + used;
    used += size;
    return at;
  }

  /** What was stored is not needed any more. */
  void free() {
    used = 0;
  }

  /** Before a class of the program is used that has something to initialise. */
  boolean uses(String type) {
    if (type.equals(place.owner) || type.startsWith("[") || !Rewriter.isObserved(type, place.loader)) return false;
    ClassInfo info = ClassInfo.of(type, place.loader);
    if (info == null || !info.initialises) return false;
    push(Tables.type(type.replace('/', '.')));
    push(site());
    hook("uses", "(II)V");
    return true;
  }
}
