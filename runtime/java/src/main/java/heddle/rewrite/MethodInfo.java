package heddle.rewrite;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the rewriter needs to know about a method before it visits the code. */
final class MethodInfo {
  /** How many variables it has. */
  int variables;
  int firstLine;
  /** Labels that have a frame, by their number in the order of the code: something jumps there. */
  final BitSet framed = new BitSet();
  int labels;
  /** Does it jump back, and access memory? Then its task is kept in a variable. */
  boolean jumpsBack;
  boolean accesses;

  boolean keepsTask() {
    return jumpsBack && accesses;
  }

  static boolean anyKeepsTask(Map<String, MethodInfo> all) {
    for (MethodInfo one : all.values()) if (one.keepsTask()) return true;
    return false;
  }

  /** Of every method of a class, by name and descriptor. */
  static Map<String, MethodInfo> in(byte[] bytes) {
    Map<String, MethodInfo> all = new HashMap<>();
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
                MethodInfo info = new MethodInfo();
                all.put(name + desc, info);
                return new MethodVisitor(Opcodes.ASM9) {
                  private final Set<Label> passed = new HashSet<>();

                  @Override
                  public void visitJumpInsn(int opcode, Label label) {
                    info.jumpsBack |= passed.contains(label);
                  }

                  @Override
                  public void visitFieldInsn(int opcode, String owner, String field, String type) {
                    info.accesses = true;
                  }

                  @Override
                  public void visitInsn(int opcode) {
                    info.accesses |= opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD || opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
                  }

                  @Override
                  public void visitLineNumber(int line, Label start) {
                    if (info.firstLine == 0) info.firstLine = line;
                  }

                  @Override
                  public void visitLabel(Label label) {
                    info.labels++;
                    passed.add(label);
                  }

                  @Override
                  public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
                    info.framed.set(info.labels);
                  }

                  @Override
                  public void visitMaxs(int stack, int locals) {
                    info.variables = locals;
                  }
                };
              }
            },
            0);
    return all;
  }
}
