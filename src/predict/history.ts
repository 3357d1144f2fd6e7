/**
 * Attempts without a result, kept between runs and inputs (seed 001, section 3.3.2). Most are pairs that the program keeps in order in a way Heddle
 * does not see, and they come back with another input. One failed attempt is no proof, so an entry counts only while the code is unchanged: it has a
 * hash of the lines around both sites and is dropped if the hash differs. A site whose source cannot be read is never skipped.
 *
 * Pure: `load` takes the content of the file, whatever that is, and `save` gives the new content. The caller reads and writes the file.
 */
import { createHash } from 'node:crypto'

const VERSION = 1
/** The oldest go first. */
const MOST_ATTEMPTS = 10_000
const MOST_INPUTS = 5
const MOST_TEXT = 2000
/** Lines of source before and after a site that belong to it. */
const AROUND = 2

/** Two operations at two places: what was tried. */
export interface Tried {
  readonly machine: string
  readonly operations: readonly [string, string]
  /** As the trace names them: `file:line:column function`, the innermost of a call chain first. */
  readonly sites: readonly [string, string]
}

export interface Attempt extends Tried {
  /** Of the source around both sites. */
  readonly code: string
  /** How it ended, and how often: `diverged`, `not reached`, … */
  readonly ended: Readonly<Record<string, number>>
  /** The commands it was tried with, the last few. */
  readonly inputs: readonly string[]
  /** When it was last tried, as ISO text. */
  readonly when: string
}

export interface HistoryFile {
  readonly version: number
  readonly attempts: readonly Attempt[]
}

/** The text of a source file by the name a site has for it; undefined if it cannot be read. */
export type ReadSource = (file: string) => string | undefined

export class History {
  private readonly attempts = new Map<string, Attempt>()
  /** Lines of the files looked at. */
  private readonly sources = new Map<string, readonly string[] | undefined>()

  private constructor(private readonly read: ReadSource) {}

  /** From what the file holds. Entries that are none are skipped: a broken history is a short one. */
  static load(json: unknown, read: ReadSource): History {
    const history = new History(read)
    const { version, attempts } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
    if (version !== VERSION || !Array.isArray(attempts)) return history
    for (const entry of attempts.slice(-MOST_ATTEMPTS)) {
      const attempt = attemptOf(entry)
      if (attempt) history.attempts.set(keyOf(attempt), attempt)
    }
    return history
  }

  get size(): number {
    return this.attempts.size
  }

  /** Was it tried before, with the code as it is now? */
  has(tried: Tried): boolean {
    return this.find(tried) !== undefined
  }

  find(tried: Tried): Attempt | undefined {
    const attempt = this.attempts.get(keyOf(tried))
    return attempt !== undefined && attempt.code === this.codeOf(tried) ? attempt : undefined
  }

  /** Notes an attempt that led to nothing. Says whether it can be kept: the source must be there. */
  add(tried: Tried, ended: string, input: string, when: Date): boolean {
    const code = this.codeOf(tried)
    if (code === undefined) return false
    const before = this.find(tried)
    const { machine, operations, sites } = tried
    const key = keyOf(tried)
    // Entered anew, so that what was tried last stands last.
    this.attempts.delete(key)
    this.attempts.set(key, {
      machine,
      operations: [operations[0], operations[1]],
      sites: [sites[0], sites[1]],
      code,
      ended: { ...before?.ended, [ended]: (before?.ended[ended] ?? 0) + 1 },
      inputs: [...(before?.inputs ?? []).filter((other) => other !== input), input.slice(0, MOST_TEXT)].slice(-MOST_INPUTS),
      when: when.toISOString(),
    })
    return true
  }

  /** For something that did fail after all: it is worth trying again. */
  forget(tried: Tried): void {
    this.attempts.delete(keyOf(tried))
  }

  /** Those not tried before, and how many were. */
  prune<C>(candidates: readonly C[], triedOf: (candidate: C) => Tried): { kept: C[]; pruned: number } {
    const kept = candidates.filter((candidate) => !this.has(triedOf(candidate)))
    return { kept, pruned: candidates.length - kept.length }
  }

  /** What the file should hold. Entries whose code has changed are left out; those whose source is not there just now are kept. */
  save(): HistoryFile {
    const valid = [...this.attempts.values()].filter((attempt) => {
      const code = this.codeOf(attempt)
      return code === undefined || code === attempt.code
    })
    return { version: VERSION, attempts: valid.slice(-MOST_ATTEMPTS) }
  }

  private codeOf({ sites }: Tried): string | undefined {
    const texts = sites.map((site) => this.linesAt(site))
    if (texts.includes(undefined)) return undefined
    return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
  }

  /** The lines around a site, without blanks at their ends. */
  private linesAt(site: string): string | undefined {
    const place = /^(.+?):(\d+)(?::\d+)?(?:\s|$)/.exec(site)
    if (!place) return undefined
    const [, file, line] = place
    if (!this.sources.has(file!)) this.sources.set(file!, this.read(file!)?.split('\n'))
    const lines = this.sources.get(file!)
    const number = Number(line)
    if (lines === undefined || number < 1 || number > lines.length) return undefined
    return lines
      .slice(Math.max(0, number - 1 - AROUND), number + AROUND)
      .map((text) => text.trim())
      .join('\n')
  }
}

const keyOf = ({ machine, operations, sites }: Tried): string => JSON.stringify([machine, operations, sites])

function attemptOf(entry: unknown): Attempt | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { machine, operations, sites, code, ended, inputs, when } = entry as Record<string, unknown>
  const pair = pairOf(operations)
  const places = pairOf(sites)
  if (typeof machine !== 'string' || typeof code !== 'string' || !pair || !places) return undefined
  const counts = typeof ended === 'object' && ended !== null ? Object.entries(ended) : []
  return {
    machine,
    operations: pair,
    sites: places,
    code,
    ended: Object.fromEntries(counts.filter(([, count]) => Number.isSafeInteger(count) && (count as number) > 0)) as Record<string, number>,
    inputs: Array.isArray(inputs) ? inputs.filter((input) => typeof input === 'string').slice(-MOST_INPUTS) : [],
    when: typeof when === 'string' ? when : '',
  }
}

const pairOf = (value: unknown): readonly [string, string] | undefined =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
    ? [value[0] as string, value[1] as string]
    : undefined
