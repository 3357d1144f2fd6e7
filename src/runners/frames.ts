/** Removes Heddle's frames from the stacks of test errors, because readers would take them for the site of the error. */
import { fileURLToPath } from 'node:url'

/** Source maps may lead from the code that runs to its source. */
const OURS = ['../../dist/', '../../src/'].map((path) => new URL(path, import.meta.url)).flatMap((url) => [url.href, fileURLToPath(url)])

/** Changes it in place, if it has a stack that can be changed, and returns it. */
export function withoutOurFrames<E>(error: E): E {
  try {
    const holder = error as { stack?: unknown } | null | undefined
    if (typeof holder?.stack === 'string') holder.stack = linesOfOthers(holder.stack)
  } catch {
    // Frozen, or a getter that throws: it stays as it is.
  }
  return error
}

export const linesOfOthers = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !(/^\s+at /.test(line) && OURS.some((path) => line.includes(path))))
    .join('\n')
