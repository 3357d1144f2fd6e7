package heddle.runtime;

/**
 * Room on the stack, asked for before anything is begun that must not end in the middle: where there is none the StackOverflowError comes here, with nothing half done. What is asked for
 * before a monitor is taken is there again when it is given back, because that happens in the same frame of the program.
 */
final class Room {
  private Room() {}

  /** For a hook of a monitor. */
  static void forHook() {
    use(8, 1, 2, 3, 4);
  }

  /** For what opens files, waits, or tells something. */
  static void forMore() {
    use(120, 1, 2, 3, 4);
  }

  /** Nothing of this can be left out, or be done without a frame for each call. */
  private static long use(int frames, long a, long b, long c, long d) {
    return frames == 0 ? a : use(frames - 1, b, c, d, a + frames) + b - c * d;
  }
}
