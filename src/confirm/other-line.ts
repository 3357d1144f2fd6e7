/**
 * The first line of output in which a run that failed differs from one that passed. Of a suite it names the test, whatever runner prints it, and
 * what comes after it is what the runner says of the failure.
 */

export interface OtherLine {
  readonly failed: string
  /** What the run that passed has in its place; empty where it had nothing more to say. */
  readonly passed: string
  /** Lines of the run that failed, from that one on. */
  readonly after: readonly string[]
}

/** Numbers differ from run to run, and a runner says how long something took only where it was slow. */
const plain = (line: string): string =>
  line
    .replaceAll(/\s*\(\d+(\.\d+)?\s?m?s\)/g, '')
    .replaceAll(/\d+(\.\d+)?/g, 'N')
    .trimEnd()

/** Undefined where the run that failed printed nothing else. Of long output only the end is known, so nothing can be said then. */
export function firstOtherLine(failed: string, passed: string): OtherLine | undefined {
  if (failed.startsWith('…') || passed.startsWith('…')) return undefined
  const [lines, others] = [linesOf(failed), linesOf(passed)]
  const at = lines.findIndex((line, i) => plain(line) !== plain(others[i] ?? ''))
  return at < 0 ? undefined : { failed: lines[at]!.trim(), passed: others[at]?.trim() ?? '', after: lines.slice(at) }
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')
