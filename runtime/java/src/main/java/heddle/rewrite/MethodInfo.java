package heddle.rewrite;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What has to be known of a method before its code is visited. */
final class MethodInfo {
  /** How many variables it has. */
  int variables;
  int firstLine;

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
                  @Override
                  public void visitLineNumber(int line, Label start) {
                    if (info.firstLine == 0) info.firstLine = line;
                  }

                  @Override
                  public void visitMaxs(int stack, int locals) {
                    info.variables = locals;
                  }
                };
              }
            },
            ClassReader.SKIP_FRAMES);
    return all;
  }
}
