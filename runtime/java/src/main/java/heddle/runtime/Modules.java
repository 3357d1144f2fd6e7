package heddle.runtime;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Modules, since JDK 9: a module whose classes call Heddle has to read it. By reflection, because the agent is also for JDK 8. */
public final class Modules {
  private static Instrumentation instrumentation;
  private static Object ours;
  private static Method redefine;

  private Modules() {}

  static void begin(Instrumentation with) throws Exception {
    Method getModule;
    try {
      getModule = Class.class.getMethod("getModule");
    } catch (NoSuchMethodException e) {
      return;
    }
    instrumentation = with;
    ours = getModule.invoke(Hd.class);
    redefine = Instrumentation.class.getMethod("redefineModule", getModule.getReturnType(), Set.class, Map.class, Map.class, Set.class, Map.class);
    reads(getModule.invoke(Object.class));
    Class<?> layer = Class.forName("java.lang.ModuleLayer");
    for (Object module : (Set<?>) layer.getMethod("modules").invoke(layer.getMethod("boot").invoke(null))) if (!isOfJdk(module)) reads(module);
  }

  private static boolean isOfJdk(Object module) {
    String name = module.toString();
    return name.startsWith("module java.") || name.startsWith("module jdk.");
  }

  private static void reads(Object module) throws Exception {
    Set<Object> us = Collections.singleton(ours);
    // Seeds of random numbers are set there (Agent.java).
    Map<String, Set<Object>> opens = module.toString().equals("module java.base") ? Collections.singletonMap("java.util.concurrent", us) : new HashMap<>();
    redefine.invoke(instrumentation, module, us, new HashMap<>(), opens, Collections.emptySet(), new HashMap<>());
  }

  /** A package of the JDK is opened to us. */
  static void opens(Class<?> of, String name) throws Exception {
    if (redefine == null) return;
    Object module = Class.class.getMethod("getModule").invoke(of);
    redefine.invoke(instrumentation, module, Collections.emptySet(), new HashMap<>(), Collections.singletonMap(name, Collections.singleton(ours)), Collections.emptySet(), new HashMap<>());
  }

  /** Called by java.lang.Module: modules that a program makes while it runs. By name. */
  public static void defined(Map<?, ?> modules) {
    if (redefine == null) return;
    for (Object module : modules.values()) {
      try {
        reads(module);
      } catch (Exception e) {
        Result.line("note " + module + " cannot be made to read the agent (" + e + ").");
      }
    }
  }
}
