package heddle.rewrite;

import heddle.runtime.Watched;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code of one method. Instructions stay where they are, with hooks before and after. Operands that are in the way are put into variables behind those of the method, and
 * are back before anything can jump: frames need not know of them. Accesses.java has those of memory, ObservedCalls.java calls, Bounds.java the begin and the ends of a method.
 */
final class ObservedMethod extends MethodVisitor {
  private static final String OBJECT = Code.OBJECT;

  private final ObservedClass.Place place;
  private final String desc;
  private final boolean isStatic;
  private final int version;
  private final MethodInfo info;
  /** In a constructor before `super()`: objects that are being made, and this one is not made yet. */
  private boolean unmade;
  private int news;
  private final Code code;
  private final Accesses accesses;
  private final ObservedCalls calls;
  private final Bounds bounds;

  ObservedMethod(MethodVisitor next, ObservedClass.Place place, String desc, boolean isStatic, boolean monitor, int version, MethodInfo info, boolean whole) {
    super(Opcodes.ASM9, next);
    this.place = place;
    this.desc = desc;
    this.isStatic = isStatic;
    this.version = version;
    this.info = info;
    code = new Code(next, place, info);
    accesses = new Accesses(code);
    calls = new ObservedCalls(code);
    bounds = new Bounds(code, isStatic, monitor, version < Opcodes.V1_6 ? Bounds.NO_FRAMES : whole ? Opcodes.F_NEW : Opcodes.F_FULL);
    unmade = place.method.equals("<init>");
  }

  // Begin and end.

  @Override
  public void visitCode() {
    super.visitCode();
    if (code.task >= 0) {
      code.hook("here", "()" + Accesses.TASK);
      super.visitVarInsn(Opcodes.ASTORE, code.task);
    }
    bounds.begin();
    if (!place.method.startsWith("<") && WatchedCalls.concerns(place.owner, place.method, true)) {
      execution = new WatchedCalls(mv, code.behind + ObservedCalls.roomFor(desc), place.owner, place.method, desc, true, code.site());
      execution.parameters(isStatic);
    }
  }

  private WatchedCalls execution;

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    bounds.handlers();
    super.visitMaxs(maxStack, maxLocals);
  }

  @Override
  public void visitLineNumber(int line, Label start) {
    code.line = line;
    super.visitLineNumber(line, start);
  }

  // Instructions.

  @Override
  public void visitTypeInsn(int opcode, String type) {
    next();
    if (opcode == Opcodes.NEW) {
      if (unmade) news++;
      if (code.uses(type)) {
        Label now = new Label();
        super.visitLabel(now);
        for (Label one : labels) {
          movedFrom.add(one);
          movedTo.add(now);
        }
      }
      labels.clear();
    }
    super.visitTypeInsn(opcode, type);
  }

  /** Frames name an object that is being made by the label of its instruction, which is behind a hook now. */
  private final List<Label> labels = new ArrayList<>();
  private final List<Label> movedFrom = new ArrayList<>();
  private final List<Label> movedTo = new ArrayList<>();

  @Override
  public void visitLabel(Label label) {
    labels.add(label);
    labelCount++;
    if (taken >= 0 && (version < Opcodes.V1_6 || info.framed.get(labelCount))) tellTaken();
    super.visitLabel(label);
  }

  private int labelCount;
  /** The variable with a monitor that was taken, and of which nothing was said yet: that is done inside the range of its handler. */
  private int taken = -1;
  private int takenSite;

  private void tellTaken() {
    int at = taken;
    taken = -1;
    super.visitVarInsn(Opcodes.ALOAD, at);
    code.push(takenSite);
    code.hook("entered", "(" + OBJECT + "I)V");
  }

  /** Before every instruction. */
  private void next() {
    bounds.next();
    if (taken >= 0) tellTaken();
  }

  @Override
  public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
    Object[] locals = labelled(numLocal, local);
    if (code.task < 0) super.visitFrame(type, numLocal, locals, numStack, labelled(numStack, stack));
    else {
      Object[] more = withTask(numLocal, locals);
      super.visitFrame(type, more.length, more, numStack, labelled(numStack, stack));
    }
  }

  /** The variable of the task is behind all others. Frames are whole here. */
  private Object[] withTask(int count, Object[] locals) {
    int used = 0;
    for (int i = 0; i < count; i++) used += locals[i] == Opcodes.LONG || locals[i] == Opcodes.DOUBLE ? 2 : 1;
    Object[] more = new Object[count + code.task - used + 1];
    System.arraycopy(locals, 0, more, 0, count);
    for (int i = count; i < more.length - 1; i++) more[i] = Opcodes.TOP;
    more[more.length - 1] = "heddle/runtime/Task";
    return more;
  }

  private Object[] labelled(int count, Object[] types) {
    if (movedFrom.isEmpty() || types == null) return types;
    Object[] now = types.clone();
    for (int i = 0; i < count && i < now.length; i++) {
      if (!(now[i] instanceof Label)) continue;
      for (int k = 0; k < movedFrom.size(); k++) if (movedFrom.get(k) == now[i]) now[i] = movedTo.get(k);
    }
    return now;
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String desc) {
    next();
    accesses.field(opcode, owner, name, desc, unmade);
  }

  @Override
  public void visitInsn(int opcode) {
    next();
    switch (opcode) {
      case Opcodes.IALOAD:
      case Opcodes.BALOAD:
      case Opcodes.CALOAD:
      case Opcodes.SALOAD:
        accesses.element(opcode, "I");
        return;
      case Opcodes.LALOAD:
        accesses.element(opcode, "J");
        return;
      case Opcodes.FALOAD:
        accesses.element(opcode, "F");
        return;
      case Opcodes.DALOAD:
        accesses.element(opcode, "D");
        return;
      case Opcodes.AALOAD:
        accesses.element(opcode, OBJECT);
        return;
      case Opcodes.IASTORE:
      case Opcodes.BASTORE:
      case Opcodes.CASTORE:
      case Opcodes.SASTORE:
        accesses.intoArray(opcode, "I");
        return;
      case Opcodes.LASTORE:
        accesses.intoArray(opcode, "J");
        return;
      case Opcodes.FASTORE:
        accesses.intoArray(opcode, "F");
        return;
      case Opcodes.DASTORE:
        accesses.intoArray(opcode, "D");
        return;
      case Opcodes.AASTORE:
        accesses.intoArray(opcode, OBJECT);
        return;
      case Opcodes.MONITORENTER:
        super.visitInsn(Opcodes.DUP);
        code.push(code.site());
        code.hook("entering", "(" + OBJECT + "I)V");
        super.visitInsn(Opcodes.DUP);
        taken = code.behind;
        takenSite = code.site();
        super.visitVarInsn(Opcodes.ASTORE, code.behind);
        super.visitInsn(opcode);
        return;
      case Opcodes.MONITOREXIT:
        super.visitInsn(Opcodes.DUP);
        code.push(code.site());
        code.hook("exiting", "(" + OBJECT + "I)V");
        super.visitInsn(opcode);
        return;
      case Opcodes.RETURN:
      case Opcodes.IRETURN:
      case Opcodes.LRETURN:
      case Opcodes.FRETURN:
      case Opcodes.DRETURN:
      case Opcodes.ARETURN:
        if (execution != null) execution.after();
        bounds.end(opcode);
        return;
      default:
        super.visitInsn(opcode);
    }
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    next();
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    next();
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitInvokeDynamicInsn(String name, String desc, Handle bootstrap, Object... args) {
    next();
    if (unmade || !calls.concatenates(name, desc, bootstrap, args)) super.visitInvokeDynamicInsn(name, desc, bootstrap, args);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    next();
    super.visitJumpInsn(opcode, label);
  }

  @Override
  public void visitLdcInsn(Object value) {
    next();
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int by) {
    next();
    super.visitIincInsn(variable, by);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
    next();
    super.visitTableSwitchInsn(min, max, otherwise, targets);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
    next();
    super.visitLookupSwitchInsn(otherwise, keys, targets);
  }

  @Override
  public void visitMultiANewArrayInsn(String desc, int dimensions) {
    next();
    super.visitMultiANewArrayInsn(desc, dimensions);
  }

  @Override
  public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean isInterface) {
    next();
    if (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && !unmade && Sites.isCopy(owner, desc)) {
      calls.copies(owner, desc, isInterface);
      return;
    }
    if (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")) {
      super.visitMethodInsn(opcode, owner, name, ObservedCalls.construct(code, owner, desc), isInterface);
      if (unmade && news > 0) news--;
      else if (unmade && (owner.equals(place.owner) || owner.equals(place.superName))) unmade = false;
      return;
    }
    calls.visit(opcode, owner, name, desc, isInterface, unmade);
  }
}
