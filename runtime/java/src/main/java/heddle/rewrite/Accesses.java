package heddle.rewrite;

import heddle.runtime.Tables;
import org.objectweb.asm.Opcodes;

/** Inserts hooks before and after instructions that read or write fields and elements of arrays. */
final class Accesses {
  static final String TASK = "Lheddle/runtime/Task;";

  private final Code code;

  Accesses(Code code) {
    this.code = code;
  }

  /** `unmade`: in a constructor before `super()`. */
  void field(int opcode, String owner, String name, String desc, boolean unmade) {
    ObservedClass.Place place = code.place;
    if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) code.uses(owner);
    ClassInfo.Field found = ClassInfo.field(owner, name, desc, place.loader);
    boolean isFinal = found.access >= 0 && (found.access & Opcodes.ACC_FINAL) != 0;
    boolean hidden = found.access >= 0 && (found.access & Opcodes.ACC_SYNTHETIC) != 0;
    if (isFinal || hidden || !Rewriter.isObserved(found.owner, place.loader) || unmade && owner.equals(place.owner) && opcode != Opcodes.GETSTATIC && opcode != Opcodes.PUTSTATIC) {
      code.mv.visitFieldInsn(opcode, owner, name, desc);
      boolean names = isFinal && !hidden && (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) && mayBeMet(desc);
      if (names && !unmade && Rewriter.isObserved(found.owner, place.loader)) named(found.owner, name, desc, found.access);
      return;
    }
    int id = Tables.field(found.owner.replace('/', '.'), name, desc, found.access);
    if (found.access >= 0 && (found.access & Opcodes.ACC_VOLATILE) != 0) id = -id;
    switch (opcode) {
      case Opcodes.GETFIELD:
        code.mv.visitInsn(Opcodes.DUP);
        code.push(id);
        code.push(code.site());
        first("read", Code.OBJECT + "II");
        code.mv.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.GETSTATIC:
        // Its class is initialised before the stripe is taken.
        code.mv.visitFieldInsn(opcode, owner, name, desc);
        code.mv.visitInsn(code.isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        code.push(id);
        code.push(code.site());
        first("readStatic", "II");
        code.mv.visitFieldInsn(opcode, owner, name, desc);
        saw(desc);
        break;
      case Opcodes.PUTFIELD: {
        int at = code.store(desc);
        code.mv.visitInsn(Opcodes.DUP);
        code.push(id);
        code.push(code.site());
        first("write", Code.OBJECT + "II");
        code.load(desc, at);
        code.mv.visitFieldInsn(opcode, owner, name, desc);
        wrote(desc, at);
        break;
      }
      default: {
        int at = code.store(desc);
        code.mv.visitFieldInsn(Opcodes.GETSTATIC, owner, name, desc);
        code.mv.visitInsn(code.isWide(desc) ? Opcodes.POP2 : Opcodes.POP);
        code.push(id);
        code.push(code.site());
        first("writeStatic", "II");
        code.load(desc, at);
        code.mv.visitFieldInsn(opcode, owner, name, desc);
        wrote(desc, at);
      }
    }
  }

  /** The first half of an access: it gives the task, which is kept for the second. */
  private void first(String name, String operands) {
    withTask(name, operands, TASK);
    code.mv.visitVarInsn(Opcodes.ASTORE, code.behind);
  }

  private void withTask(String name, String operands, String result) {
    if (code.task >= 0) code.mv.visitVarInsn(Opcodes.ALOAD, code.task);
    code.hook(name, "(" + operands + (code.task >= 0 ? TASK : "") + ")" + result);
  }

  /** The second half: the value that was read is on the stack, and stays there. */
  private void saw(String desc) {
    code.mv.visitInsn(code.isWide(desc) ? Opcodes.DUP2 : Opcodes.DUP);
    second(desc);
  }

  private void wrote(String desc, int at) {
    code.load(desc, at);
    second(desc);
    code.free();
  }

  private void second(String desc) {
    code.mv.visitVarInsn(Opcodes.ALOAD, code.behind);
    char kind = desc.charAt(0);
    boolean object = kind == 'L' || kind == '[';
    String letter = object ? "A" : kind == 'J' || kind == 'D' || kind == 'F' ? desc : "I";
    code.hook("saw" + letter, "(" + (object ? Code.OBJECT : letter) + TASK + ")V");
  }

  /** Locks, collections, arrays: what threads meet at, and what has no name of its own. */
  private static boolean mayBeMet(String desc) {
    return desc.startsWith("[") || desc.startsWith("Ljava/util/") || desc.equals(Code.OBJECT);
  }

  /** What was just read from a final field is called by it. */
  private void named(String owner, String name, String desc, int access) {
    code.mv.visitInsn(Opcodes.DUP);
    code.push(Tables.field(owner.replace('/', '.'), name, desc, access));
    withTask("held", Code.OBJECT + "I", "V");
  }

  void element(int opcode, String desc) {
    code.mv.visitInsn(Opcodes.DUP2);
    code.push(code.site());
    first("load", Code.OBJECT + "II");
    code.mv.visitInsn(opcode);
    saw(desc);
  }

  void intoArray(int opcode, String desc) {
    int at = code.store(desc);
    code.mv.visitInsn(Opcodes.DUP2);
    boolean object = desc.equals(Code.OBJECT);
    if (object) code.load(desc, at);
    code.push(code.site());
    first(object ? "storeA" : "store", Code.OBJECT + "I" + (object ? Code.OBJECT : "") + "I");
    code.load(desc, at);
    code.mv.visitInsn(opcode);
    wrote(desc, at);
  }
}
