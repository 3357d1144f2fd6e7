package heddle.rewrite;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The few classes of the JDK that get hooks: threads begin and end there, wait there, and hand work over to each other. Only bodies of methods are changed. */
final class JdkHooks {
  private static final String THREADS = "heddle/runtime/Threads";
  private static final String PARKING = "heddle/runtime/Parking";
  private static final String HAND_OVERS = "heddle/runtime/HandOvers";
  private static final String OBJECT = "Ljava/lang/Object;";

  /** What is put into a method. */
  private interface Hook {
    MethodVisitor in(MethodVisitor next, int access, String name, String desc);
  }

  private static final Map<String, Map<String, Hook>> hooks = new HashMap<>();

  private JdkHooks() {}

  private static void add(String type, String method, Hook hook) {
    hooks.computeIfAbsent(type, key -> new HashMap<>()).put(method, hook);
  }

  static {
    add("java/lang/Module", "defineModules", definedModules());
    String thread = "java/lang/Thread";
    add(thread, "start", aroundStart());
    add(thread, "run", atBegin(m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "run", "()V", false)));
    add(thread, "exit", atBegin(m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "exit", "()V", false)));
    add(
        thread,
        "interrupt",
        atBegin(
            m -> {
              m.visitVarInsn(Opcodes.ALOAD, 0);
              m.visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, "interrupting", "(Ljava/lang/Thread;)V", false);
            }));
    add(
        thread,
        "dispatchUncaughtException",
        atBegin(
            m -> {
              m.visitVarInsn(Opcodes.ALOAD, 1);
              m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "uncaught", "(Ljava/lang/Throwable;)V", false);
            }));
    String virtual = "java/lang/VirtualThread";
    add(virtual, "start", aroundVirtualStart());
    add(virtual, "run", aroundVirtualRun());
    // What its scheduler does is done for the JDK, and not in replays, where threads wait at the gate.
    for (String name : new String[] {"submitRunContinuation", "externalSubmitRunContinuation", "externalSubmitRunContinuationOrThrow", "lazySubmitRunContinuation"}) {
      add(virtual, name, aside());
    }
    for (String name : new String[] {"exit", "halt"}) {
      add(
          "java/lang/Shutdown",
          name,
          atBegin(
              m -> {
                m.visitVarInsn(Opcodes.ILOAD, 0);
                m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "exiting", "(I)V", false);
              }));
    }
    String support = "java/util/concurrent/locks/LockSupport";
    for (String name : new String[] {"park", "parkNanos", "parkUntil"}) add(support, name, insteadOfParking());
    add(support, "unpark", insteadOfUnparking());
    String c = "java/util/concurrent/";
    add(c + "ThreadPoolExecutor", "execute", handOver("given", "Ljava/lang/Runnable;"));
    add(c + "ThreadPoolExecutor", "runWorker", beforeRun());
    String[][] leaves = {{"ThreadPoolExecutor", "processWorkerExit"}, {"ForkJoinPool", "deregisterWorker"}, {"ThreadPerTaskExecutor", "taskComplete"}};
    for (String[] one : leaves) {
      add(c + one[0], one[1], ofThis("leaves"));
      for (String name : new String[] {"awaitTermination", "isTerminated"}) add(c + one[0], name, withResult("ended"));
    }
    add(c + "ScheduledThreadPoolExecutor", "delayedExecute", handOver("given", "Ljava/util/concurrent/RunnableScheduledFuture;"));
    add(c + "ScheduledThreadPoolExecutor", "reExecutePeriodic", handOver("given", "Ljava/util/concurrent/RunnableScheduledFuture;"));
    for (String name : new String[] {"set", "setException"}) add(c + "FutureTask", name, ofThis("completed"));
    add(c + "FutureTask", "cancel", withResult("completedIf"));
    add(c + "FutureTask", "report", ofThis("seen"));
    for (String type : new String[] {"FutureTask", "CompletableFuture"}) add(c + type, "isDone", withResult("seenIf"));
    for (String name : new String[] {"take", "poll"}) add(c + "ExecutorCompletionService", name, resultSeen());
    // What is to be done with results that are there is done at once: whoever finds them there has seen them.
    for (String name : new String[] {"andTree", "uniApplyStage", "uniAcceptStage", "uniRunStage", "uniHandleStage", "uniWhenCompleteStage", "uniComposeStage", "biApplyStage", "biAcceptStage", "biRunStage"}) {
      add(c + "CompletableFuture", name, resultFound());
    }
    for (String name : new String[] {"internalComplete", "completeNull", "completeValue", "completeThrowable", "completeRelay"}) {
      add(c + "CompletableFuture", name, ofThis("completed"));
    }
    // What is to be done with a result is left at the future by one thread, and is done by the one that completes it.
    add(c + "CompletableFuture", "unipush", handOver("given", "Ljava/util/concurrent/CompletableFuture$Completion;"));
    for (String name : new String[] {"bipush", "orpush"}) {
      add(c + "CompletableFuture", name, handOver("given", "Ljava/util/concurrent/CompletableFuture$BiCompletion;"));
    }
    add(c + "CompletableFuture$UniCompletion", "claim", ofThis("begins"));
    for (String name : new String[] {"get", "join", "getNow"}) add(c + "CompletableFuture", name, atReturn("seen"));
    add(c + "ForkJoinTask", "doExec", ofThis("begins"));
    add(c + "ForkJoinTask", "fork", ofThis("given"));
    add(c + "ForkJoinTask", "setDone", ofThis("completed"));
    for (String name : new String[] {"get", "join", "invoke"}) add(c + "ForkJoinTask", name, atReturn("seen"));
    add(c + "ForkJoinTask", "invokeAll", allSeen());
    for (String name : new String[] {"externalPush", "externalSubmit", "poolSubmit"}) {
      add(c + "ForkJoinPool", name, handOver("given", "Ljava/util/concurrent/ForkJoinTask;"));
    }
  }

  /** What is to be done when two futures are complete. Whoever does it sees both results. */
  private static final String[] BOTH = {
    "java/util/concurrent/CompletableFuture$BiRelay",
    "java/util/concurrent/CompletableFuture$BiApply",
    "java/util/concurrent/CompletableFuture$BiAccept",
    "java/util/concurrent/CompletableFuture$BiRun",
  };

  static {
    for (String type : BOTH) add(type, "tryFire", bothDone());
  }

  private static final String[][] ITERATORS = {
    {"java/util/HashMap$HashIterator", "nextNode"},
    {"java/util/LinkedHashMap$LinkedHashIterator", "nextNode"},
    {"java/util/TreeMap$PrivateEntryIterator", "nextEntry"},
    {"java/util/ArrayList$Itr", "next"},
    {"java/util/LinkedList$ListItr", "next"},
  };

  static {
    for (String[] one : ITERATORS) add(one[0], one[1], nextOf(one[0]));
  }

  private static final Map<String, String> outers = new HashMap<>();

  /** An iterator gives its next element: the collection is the object that it belongs to. */
  private static Hook nextOf(String type) {
    return (next, access, name, desc) -> {
      String outer = outers.get(type);
      if (outer == null || !desc.startsWith("()")) return next;
      return atBegin(
              m -> {
                m.visitVarInsn(Opcodes.ALOAD, 0);
                m.visitFieldInsn(Opcodes.GETFIELD, type, "this$0", outer);
                m.visitMethodInsn(Opcodes.INVOKESTATIC, "heddle/runtime/Bulk", "next", "(" + OBJECT + ")V", false);
              })
          .in(next, access, name, desc);
    };
  }

  static boolean knows(String type) {
    return hooks.containsKey(type);
  }

  static byte[] rewrite(String type, byte[] bytes) {
    Map<String, Hook> own = hooks.get(type);
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public FieldVisitor visitField(int access, String name, String desc, String signature, Object value) {
            if (name.equals("this$0")) outers.put(type, desc);
            return super.visitField(access, name, desc, signature, value);
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            Hook hook = own.get(name);
            boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            return hook == null || !hasCode ? next : hook.in(next, access, name, desc);
          }
        },
        0);
    return writer.toByteArray();
  }

  private interface Code {
    void put(MethodVisitor m);
  }

  private static Hook atBegin(Code code) {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitCode() {
            super.visitCode();
            code.put(mv);
          }
        };
  }

  private static Hook ofThis(String call) {
    return (next, access, name, desc) ->
        (access & Opcodes.ACC_STATIC) != 0
            ? next
            : new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitCode() {
                super.visitCode();
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, call, "(" + OBJECT + ")V", false);
              }
            };
  }

  private static Hook atReturn(String call) {
    return (next, access, name, desc) ->
        (access & Opcodes.ACC_STATIC) != 0
            ? next
            : new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitInsn(int opcode) {
                if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                  super.visitVarInsn(Opcodes.ALOAD, 0);
                  super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, call, "(" + OBJECT + ")V", false);
                }
                super.visitInsn(opcode);
              }
            };
  }

  /** The same with the truth value that it returns; one that returns none is done when it returns. */
  private static Hook withResult(String call) {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.IRETURN || opcode == Opcodes.RETURN) {
              super.visitInsn(opcode == Opcodes.IRETURN ? Opcodes.DUP : Opcodes.ICONST_1);
              super.visitVarInsn(Opcodes.ALOAD, 0);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, call, "(Z" + OBJECT + ")V", false);
            }
            super.visitInsn(opcode);
          }
        };
  }

  /** Of the future that it returns the result is seen. */
  private static Hook resultSeen() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
              super.visitInsn(Opcodes.DUP);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, "seen", "(" + OBJECT + ")V", false);
            }
            super.visitInsn(opcode);
          }
        };
  }

  /** Where it looks for the result of a future and finds one, that is seen. To ask the future before would be too early: it may be completed in between. */
  private static Hook resultFound() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitFieldInsn(int opcode, String owner, String field, String type) {
            boolean isResult = opcode == Opcodes.GETFIELD && field.equals("result") && owner.equals("java/util/concurrent/CompletableFuture");
            if (isResult) super.visitInsn(Opcodes.DUP);
            super.visitFieldInsn(opcode, owner, field, type);
            if (isResult) super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, "found", "(" + OBJECT + OBJECT + ")" + OBJECT, false);
          }
        };
  }

  private static Hook bothDone() {
    String future = "java/util/concurrent/CompletableFuture";
    return atBegin(
        m -> {
          for (String field : new String[] {"src", "snd"}) {
            m.visitVarInsn(Opcodes.ALOAD, 0);
            m.visitFieldInsn(Opcodes.GETFIELD, future + "$BiCompletion", field, "L" + future + ";");
            m.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, "asked", "(" + OBJECT + ")V", false);
          }
        });
  }

  /** Of the tasks that it was given, results are seen when it returns. */
  private static Hook allSeen() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN || opcode == Opcodes.ARETURN) {
              for (int at = 0; at < Type.getArgumentTypes(desc).length; at++) {
                super.visitVarInsn(Opcodes.ALOAD, at);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, "allSeen", "(" + OBJECT + ")V", false);
              }
            }
            super.visitInsn(opcode);
          }
        };
  }

  private static Hook definedModules() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
              super.visitInsn(Opcodes.DUP);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, "heddle/runtime/Modules", "defined", "(Ljava/util/Map;)V", false);
            }
            super.visitInsn(opcode);
          }
        };
  }

  /** The first argument of this type is handed over. */
  private static Hook handOver(String call, String type) {
    return (next, access, name, desc) -> {
      int at = (access & Opcodes.ACC_STATIC) != 0 ? 0 : 1;
      for (Type one : Type.getArgumentTypes(desc)) {
        if (one.getDescriptor().equals(type)) {
          int given = at;
          return new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
              super.visitCode();
              super.visitVarInsn(Opcodes.ALOAD, given);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, call, "(" + OBJECT + ")V", false);
            }
          };
        }
        at += one.getSize();
      }
      return next;
    };
  }

  /** A pool runs a task. */
  private static Hook beforeRun() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitMethodInsn(int opcode, String owner, String method, String of, boolean isInterface) {
            if (owner.equals("java/lang/Runnable") && method.equals("run")) {
              super.visitInsn(Opcodes.DUP);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, HAND_OVERS, "begins", "(" + OBJECT + ")V", false);
            }
            super.visitMethodInsn(opcode, owner, method, of, isInterface);
          }
        };
  }

  private static Hook aroundStart() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitMethodInsn(int opcode, String owner, String method, String of, boolean isInterface) {
            boolean starts = method.equals("start0") && of.equals("()V");
            if (starts) {
              super.visitInsn(Opcodes.DUP);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "starting", "(Ljava/lang/Thread;)V", false);
            }
            super.visitMethodInsn(opcode, owner, method, of, isInterface);
            if (starts) {
              super.visitVarInsn(Opcodes.ALOAD, 0);
              super.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "started", "(Ljava/lang/Thread;)V", false);
            }
          }
        };
  }

  private static void told(MethodVisitor m, String call) {
    m.visitVarInsn(Opcodes.ALOAD, 0);
    m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, call, "(Ljava/lang/Thread;)V", false);
  }

  /** The one with a container is called by all others. */
  private static Hook aroundVirtualStart() {
    return (next, access, name, desc) -> desc.equals("()V") ? next : around(next, m -> told(m, "starting"), m -> told(m, "started"));
  }

  private static Hook aroundVirtualRun() {
    return (next, access, name, desc) ->
        desc.equals("()V")
            ? next
            : around(
                next,
                m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "run", "()V", false),
                m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "exit", "()V", false));
  }

  private static Hook aside() {
    return (next, access, name, desc) ->
        around(
            next,
            m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "aside", "()V", false),
            m -> m.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, "back", "()V", false));
  }

  /** At its begin, and where it returns. */
  private static MethodVisitor around(MethodVisitor next, Code begin, Code end) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        begin.put(mv);
      }

      @Override
      public void visitInsn(int opcode) {
        if (opcode == Opcodes.RETURN) end.put(mv);
        super.visitInsn(opcode);
      }
    };
  }

  /** Returns where it was carried out by Heddle. */
  private static void returnIf(MethodVisitor m) {
    Label on = new Label();
    m.visitJumpInsn(Opcodes.IFEQ, on);
    m.visitInsn(Opcodes.RETURN);
    m.visitLabel(on);
    m.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    m.visitInsn(Opcodes.NOP); // what follows may have a frame of its own
  }

  private static Hook insteadOfParking() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitCode() {
            super.visitCode();
            if (name.equals("park")) super.visitLdcInsn(-1L);
            else super.visitVarInsn(Opcodes.LLOAD, desc.startsWith("(J") ? 0 : 1);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, name.equals("parkUntil") ? "parkingUntil" : "parking", "(J)Z", false);
            returnIf(mv);
          }
        };
  }

  private static Hook insteadOfUnparking() {
    return (next, access, name, desc) ->
        new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, "unparking", "(Ljava/lang/Thread;)Z", false);
            returnIf(mv);
          }
        };
  }
}
