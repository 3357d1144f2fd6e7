/** What the agent reports of a run: the `result` file of docs/java-format.md. */
import { plain } from '../../base/plain.ts'
import { or, parseSaid, textOf, type Said, type WaitsFor } from '../threads/result.ts'

export interface Waits extends WaitsFor {
  /** The class of what it waits for. */
  readonly type: string
  /** As the agent knows it: `pack/Name.method:12`. */
  readonly place: string
}

export interface JavaUncaught {
  readonly thread: string
  readonly type: string
  readonly message: string
  /** Innermost first, as Java prints them, without `at`. */
  readonly stack: readonly string[]
}

export interface JavaResult extends Readonly<Said<Waits>> {
  /** The version of the JVM; undefined: the agent has not begun. */
  readonly started: string | undefined
  /** Why the agent could not begin. */
  readonly failed: string | undefined
  /** Lines of the schedule that were carried out, with the place of the last step of each. */
  readonly lines: readonly string[]
  readonly uncaught: readonly JavaUncaught[]
}

export const readResult = (folder: string): JavaResult => parseResult(textOf(folder))

/** JVMs that were started behind a script or a build tool: the commands of those that were looked at, and of the others. */
export function jvmsIn(folder: string): { readonly observed: readonly string[]; readonly others: readonly string[] } {
  const lines = textOf(folder, 'jvms').split('\n').map(plain)
  const of = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(sign.length).slice(0, MOST_SHOWN))
  return { observed: of('+ '), others: of('- ') }
}

const MOST_SHOWN = 80

export function parseResult(text: string): JavaResult {
  let failed: string | undefined
  const lines: string[] = []
  const uncaught: JavaUncaught[] = []
  const said = parseSaid<Waits>(text, waitsOf, (word, rest) => {
    if (word === 'failed') failed ??= whole(rest)
    else if (word === 'line') lines.push(rest.split(' ').slice(2).join(' '))
    else if (word === 'uncaught') {
      const [thread = '', type = '', message = '', ...stack] = whole(rest).split('|')
      uncaught.push({ thread, type, message, stack })
    }
  })
  return { ...said, started: said.started?.split('|')[0], failed, lines, uncaught, notes: said.notes.map(whole) }
}

/** The agent writes ends of lines inside a text as \x01. */
const whole = (text: string): string => text.replaceAll('\x01', '\n')

function waitsOf([thread = '', kind, type = '', , place = '', holder]: readonly string[]): Waits {
  return { thread, kind: Number(kind) || 0, type, place, holder: or(holder) }
}
