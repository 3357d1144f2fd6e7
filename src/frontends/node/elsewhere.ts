/** A program that starts others and waits for them: a test runner with flags for Node, a script that calls scripts, a cluster. What it does itself is not what was meant. */
import { basename } from 'node:path'
import { DISPATCH } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'

/** Turns of a program that only waits, and passes on what it hears. */
const WAITING = /^(child|socket|close|write|message|signal|stream)\b/

/** A sentence that says so; undefined where the program did something itself. `alone`: commands that were not observed. */
export function workedElsewhere(loop: Trace, alone: readonly (readonly string[])[]): string | undefined {
  if (alone.length === 0) return undefined
  for (const e of loop.recordedOrder()) if (loop.op[e] === DISPATCH && !WAITING.test(loop.targetName(e))) return undefined
  const first = alone.find(([word = '']) => basename(word) === 'node') ?? alone[0]!
  const command = first.map((word, i) => (i === 0 ? basename(word) : /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
  return `The work was done in another process, which was not observed: \`${command}\`. To look at it: heddle check -- ${command}`
}
