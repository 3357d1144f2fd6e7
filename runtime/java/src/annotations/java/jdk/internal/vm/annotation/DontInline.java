package jdk.internal.vm.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name by which HotSpot (JDK 9 and later) knows methods of its own loader that are not put in line where they are called. Compiled against, and not in the jar: the JVM looks at
 * the name alone. Without it what is rare is put in line with what is done for every access, and both together are too long to be put in line in the program.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DontInline {}
