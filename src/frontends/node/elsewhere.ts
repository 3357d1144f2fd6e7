/**
 * Recognises a program that only starts others and waits for them: a test runner with flags for Node, a script that calls scripts, a cluster. The
 * user meant the started program.
 */
import { basename } from 'node:path'
import { DISPATCH } from '../../trace/ops.ts'
import type { Trace } from '../../trace/trace.ts'
import { inPackages } from '../command.ts'
import type { Elsewhere, Recording } from '../contract.ts'

/** Turns of a program that only waits, and passes on what it hears. */
const WAITING = /^(child|socket|close|write|message|signal|stream)\b/
const NODE = /^(node|npm|npx|yarn|pnpm)(\.exe|\.cmd)?$/
/** Other commands (git, a compiler) are tools. */
const runsJavaScript = (program: string, cwd: string): boolean =>
  NODE.test(basename(program)) || /\.[cm]?js$/.test(program) || (/^[\w.@-]+$/.test(program) && inPackages(program, cwd) !== undefined)

/** Undefined where nobody else did any work that could be looked at, but for tools that the program uses. */
export function workedElsewhere(
  loop: Trace,
  { command, observed: { alone = [], told = [] } }: Pick<Recording, 'command' | 'observed'>,
  cwd: string,
): Elsewhere | undefined {
  const all = onlyWaits(loop)
  const nodes = alone.filter((words) => runsJavaScript(programOf(words), cwd))
  const first = nodes[0] ?? (all ? alone[0] : undefined)
  if (first === undefined) return undefined
  const said = `${all ? 'The work' : 'Part of the work'} was done in another process, which was not observed. `
  return {
    text: `${said}${instead(
      first,
      command,
      told.some((words) => sameWords(words, first)),
    )}`,
    all,
  }
}

/** What to look at. */
function instead(child: readonly string[], command: readonly string[], isTold: boolean): string {
  // A cluster: each worker is the program once more, and only what started it knows that it is one.
  if (sameWords(child, command)) return 'The program started itself again. To check that code, run it in one process, without a cluster.'
  const observes = `heddle check -- ${shellText(child)}`
  if (!isTold) return `To check it: ${observes}`
  return `To check it: ${observes}. It exchanges messages with this process: if it needs them, check a run that does the work in one process.`
}

const sameWords = (a: readonly string[], b: readonly string[]): boolean =>
  a.slice(1).every((word, i) => basename(word) === basename(b[i + 1] ?? '')) && a.length === b.length

/** Of a line for a shell: its first word. */
const programOf = (words: readonly string[]): string => (isShell(words) ? (words[2] ?? '').trim().split(/\s+/)[0]! : (words[0] ?? ''))
const isShell = ([shell = '', flag]: readonly string[]): boolean => /^(ba|da)?sh$/.test(basename(shell)) && flag === '-c'

function shellText(words: readonly string[]): string {
  if (isShell(words)) return words[2] ?? ''
  return words.map((word, i) => (i === 0 ? basename(word) : /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

/** The first turn is the main script: what it does by itself, one thing after the other, is no other order's. */
function onlyWaits(loop: Trace): boolean {
  for (const e of loop.recordedOrder()) if (loop.op[e] === DISPATCH && !WAITING.test(loop.targetName(e))) return false
  return true
}
