/**
 * What the runtime in an observed program reports of a run, as lines that are appended while it runs: the common part of the `result` files of native
 * and Java programs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Said<W> {
  /** What the runtime said at its start; undefined: it has not begun. */
  started: string | undefined
  gaveUp?: { readonly line: number; readonly why: string }
  readonly waits: W[]
  deadlock: boolean
  readonly notes: string[]
  /** Delay mode: what became of each instruction, in order. */
  readonly delays: { readonly delay: number; readonly did: 'held' | 'released' | 'gave-up' }[]
}

/** Who waits for what in a deadlock. */
export interface WaitsFor {
  readonly thread: string
  /** The kind of step it stands before. */
  readonly kind: number
  /** The thread that holds it; empty if nobody does. */
  readonly holder: string
}

/** Empty where the runtime has not come so far. */
export function textOf(folder: string, name = 'result'): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return ''
  }
}

/** `-` stands for nothing. */
export const or = (text: string | undefined): string => (text === undefined || text === '-' ? '' : text)

/** `waitsOf` reads the rest of a `waits` line; `other` gets the words that only one of the runtimes says. */
export function parseSaid<W>(text: string, waitsOf: (parts: readonly string[]) => W, other: (word: string, rest: string) => void): Said<W> {
  const said: Said<W> = { started: undefined, waits: [], deadlock: false, notes: [], delays: [] }
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    const word = space < 0 ? line : line.slice(0, space)
    const rest = space < 0 ? '' : line.slice(space + 1)
    const parts = rest.split(' ')
    switch (word) {
      case 'start':
        said.started ??= rest
        break
      case 'gave-up':
        said.gaveUp ??= { line: Number(parts[0]) || 0, why: parts.slice(1).join(' ') }
        break
      case 'waits':
        said.waits.push(waitsOf(rest.split('|')))
        break
      case 'deadlock':
        said.deadlock = true
        break
      case 'note':
        if (!said.notes.includes(rest)) said.notes.push(rest)
        break
      case 'delay':
        said.delays.push({ delay: Number(parts[0]) || 0, did: (parts[1] ?? 'held') as 'held' })
        break
      default:
        other(word, rest)
    }
  }
  return said
}
