/** The position of the runtime's own flags among those of Node: after what the program preloads, because a loader for TypeScript has to come first. */

const PRELOADS = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader'])

/** Before anything that is no flag: Node does not look at flags behind it. */
export function withFlags(args: readonly string[], flags: readonly string[]): string[] {
  let at = 0
  for (let i = 0; i < args.length && args[i]!.startsWith('-') && args[i] !== '--'; i++) {
    const [flag, value] = args[i]!.split('=', 2)
    if (!PRELOADS.has(flag!)) continue
    if (value === undefined) i++
    at = i + 1
  }
  return [...args.slice(0, at), ...flags, ...args.slice(at)]
}

/**
 * Frames of instrumented code are larger: a recursion that fits the usual stack of 984 kB by a narrow margin would not any more. Measured over fifteen shapes of recursion
 * (test/runtime/depth.test.ts) a recorded one came to 72 % of its depth at the least; with so much it is 84 % to 117 %.
 */
export const MORE_STACK = '--stack-size=1150'
