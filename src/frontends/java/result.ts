/** What the agent says of a run: the `result` file of docs/java-format.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plain } from '../../base/plain.ts'

export interface Waits {
  readonly thread: string
  readonly kind: number
  /** The class of what it waits for. */
  readonly type: string
  /** As the agent knows it: `pack/Name.method:12`. */
  readonly place: string
  /** The thread that holds it; empty if nobody does. */
  readonly holder: string
}

export interface JavaUncaught {
  readonly thread: string
  readonly type: string
  readonly message: string
  /** Innermost first, as Java prints them, without `at`. */
  readonly stack: readonly string[]
}

export interface JavaResult {
  /** The version of the JVM; undefined: the agent has not begun. */
  readonly started: string | undefined
  /** Why the agent could not begin. */
  readonly failed: string | undefined
  /** Lines of the schedule that were carried out, with the place of the last step of each. */
  readonly lines: readonly string[]
  readonly gaveUp?: { readonly line: number; readonly why: string }
  readonly waits: readonly Waits[]
  readonly deadlock: boolean
  readonly uncaught: readonly JavaUncaught[]
  readonly notes: readonly string[]
  /** Delay mode: what became of each instruction, in order. */
  readonly delays: readonly { readonly delay: number; readonly did: 'held' | 'released' | 'gave-up' }[]
}

export function readResult(folder: string): JavaResult {
  let text = ''
  try {
    text = readFileSync(join(folder, 'result'), 'utf8')
  } catch {
    // the agent has not come so far
  }
  return parseResult(text)
}

/** JVMs that were started behind a script or a build tool: the commands of those that were looked at, and of the others. */
export function jvmsIn(folder: string): { readonly observed: readonly string[]; readonly others: readonly string[] } {
  let text = ''
  try {
    text = readFileSync(join(folder, 'jvms'), 'utf8')
  } catch {
    // none has come so far
  }
  const lines = text.split('\n').map(plain)
  const of = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(sign.length).slice(0, MOST_SHOWN))
  return { observed: of('+ '), others: of('- ') }
}

const MOST_SHOWN = 80

const or = (text: string | undefined): string => (text === undefined || text === '-' ? '' : text)

export function parseResult(text: string): JavaResult {
  let started: string | undefined
  let failed: string | undefined
  let deadlock = false
  let gaveUp: JavaResult['gaveUp']
  const lines: string[] = []
  const waits: Waits[] = []
  const uncaught: JavaUncaught[] = []
  const notes: string[] = []
  const delays: { delay: number; did: 'held' | 'released' | 'gave-up' }[] = []
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    const word = space < 0 ? line : line.slice(0, space)
    // The agent writes ends of lines inside a text as \x01.
    const rest = space < 0 ? '' : line.slice(space + 1).replaceAll('\x01', '\n')
    const parts = rest.split(' ')
    switch (word) {
      case 'start':
        started ??= rest.split('|')[0]!
        break
      case 'failed':
        failed ??= rest
        break
      case 'line':
        lines.push(parts.slice(2).join(' '))
        break
      case 'gave-up':
        gaveUp ??= { line: Number(parts[0]) || 0, why: parts.slice(1).join(' ') }
        break
      case 'waits': {
        const [thread = '', kind, type = '', , place = '', holder] = rest.split('|')
        waits.push({ thread, kind: Number(kind) || 0, type, place, holder: or(holder) })
        break
      }
      case 'deadlock':
        deadlock = true
        break
      case 'uncaught': {
        const [thread = '', type = '', message = '', ...stack] = rest.split('|')
        uncaught.push({ thread, type, message, stack })
        break
      }
      case 'note':
        if (!notes.includes(rest)) notes.push(rest)
        break
      case 'delay':
        delays.push({ delay: Number(parts[0]) || 0, did: (parts[1] ?? 'held') as 'held' })
        break
    }
  }
  return { started, failed, lines, ...(gaveUp ? { gaveUp } : {}), waits, deadlock, uncaught, notes, delays }
}
