package heddle.rewrite;

import heddle.runtime.Config;
import heddle.runtime.Tables;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The begin and all ends of a method that was synchronized, or that initialises a class. In replays the monitor is taken by instructions, so that the gate comes before the lock. A recorded
 * run has no gate: the JVM takes the monitor as it always does. It would not compile a static method that takes its own: two constants are two objects to it.
 */
final class Bounds {
  static final int NO_FRAMES = Integer.MIN_VALUE;

  private final MethodVisitor mv;
  private final Code code;
  private final boolean isStatic;
  /** It is, or was, synchronized. */
  private final boolean monitor;
  /** The kind of its frames; NO_FRAMES: old classes have none. */
  private final int frames;
  private final int clinit;
  /** Where its monitor is held, or its class is initialised. */
  private Label begin = new Label();
  private final List<Label> ranges = new ArrayList<>();
  /** Is there code behind the last begin of a range? */
  private boolean live;

  Bounds(Code code, boolean isStatic, boolean monitor, int frames) {
    mv = code.mv;
    this.code = code;
    this.isStatic = isStatic;
    this.monitor = monitor;
    this.frames = frames;
    clinit = code.place.method.equals("<clinit>") ? Tables.type(code.place.owner.replace('/', '.')) : 0;
  }

  /** Does the JVM take the monitors of synchronized methods? */
  static boolean ofJvm() {
    return Config.mode == Config.RECORD;
  }

  void begin() {
    if (clinit != 0) {
      code.push(clinit);
      code.push(code.site());
      code.hook("initialising", "(II)V");
    }
    if (monitor) {
      tell("entering");
      if (!ofJvm()) {
        lock();
        mv.visitInsn(Opcodes.MONITORENTER);
      }
      mv.visitLabel(begin);
      live = true;
      tell("entered");
    } else if (clinit != 0) mv.visitLabel(begin);
  }

  /** Before every instruction of the method. */
  void next() {
    live = true;
  }

  /** An instruction that returns. */
  void end(int opcode) {
    if (!monitor && clinit == 0) {
      mv.visitInsn(opcode);
      return;
    }
    if (clinit != 0) initialised();
    if (monitor) {
      tell("exiting");
      free();
    }
    Label end = new Label();
    mv.visitLabel(end);
    ranges.add(begin);
    ranges.add(end);
    mv.visitInsn(opcode);
    begin = new Label();
    mv.visitLabel(begin);
    live = false;
  }

  /** What is thrown through the method. */
  void handlers() {
    if (!monitor && clinit == 0) return;
    Label thrown = new Label();
    Label told = new Label();
    Label untold = new Label();
    // As compilers write it: the monitor is held in all of a range, and nowhere else. The JVM compiles nothing else.
    if (live) {
      ranges.add(begin);
      ranges.add(thrown);
    }
    for (int i = 0; i < ranges.size(); i += 2) mv.visitTryCatchBlock(ranges.get(i), ranges.get(i + 1), thrown, null);
    mv.visitTryCatchBlock(thrown, told, untold, null);
    caught(thrown);
    if (monitor) tell("exiting");
    if (clinit != 0) initialised();
    mv.visitLabel(told);
    free();
    mv.visitInsn(Opcodes.ATHROW);
    // There is no stack left to say it.
    caught(untold);
    mv.visitInsn(Opcodes.ICONST_1);
    mv.visitFieldInsn(Opcodes.PUTSTATIC, "heddle/runtime/Hd", "noRoom", "Z");
    free();
    mv.visitInsn(Opcodes.ATHROW);
  }

  private void lock() {
    if (isStatic) mv.visitLdcInsn(Type.getObjectType(code.place.owner));
    else mv.visitVarInsn(Opcodes.ALOAD, 0);
  }

  private void tell(String hook) {
    lock();
    code.push(code.site());
    code.hook(hook, "(" + Code.OBJECT + "I)V");
  }

  private void free() {
    if (!monitor || ofJvm()) return;
    lock();
    mv.visitInsn(Opcodes.MONITOREXIT);
  }

  private void initialised() {
    code.push(clinit);
    code.push(code.site());
    code.hook("initialised", "(II)V");
  }

  private void caught(Label handler) {
    mv.visitLabel(handler);
    if (frames == NO_FRAMES) return;
    Object[] locals = isStatic ? new Object[0] : new Object[] {code.place.owner};
    mv.visitFrame(frames, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
  }
}
