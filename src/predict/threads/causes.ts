/**
 * Candidates sorted into causes (kind, pattern, sites, location, roles of the threads), and the causes into the order in which they are worth a
 * replay: the likeliest first, but not ten of a kind or ten of a location in a row.
 */
import type { EventId } from '../../trace/trace.ts'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { lineOf, shapeOf } from '../loop/shape.ts'
import type { Patterns } from './pattern.ts'
import { Open, type CoverageRow, type LeftOut } from '../../coverage.ts'
import { noneRuledOut, type RuledOut } from '../propose/group.ts'
import type { ThreadGroup, ThreadProposal } from './propose.ts'
import type { Words } from './describe.ts'

/** One way to ask about a candidate. */
export interface Drawn {
  readonly candidate: ThreadProposal
  /** The candidate that it is a way to ask about, as it is counted. */
  readonly of: Open
  /** Nothing more is asked for than the candidate itself asks for: if there is no such order, there is none of the candidate. */
  readonly isWhole: boolean
}

/** Candidates of one cause, drawn one at a time. */
export class Cause {
  points = 0
  /** Candidates drawn so far, variants not counted. */
  count = 0
  /** Of these, those that were passed over. */
  private skipped = 0
  /** There was no time for more of it in this round. */
  unfinished = false
  private draws = 0
  private readonly sources: { readonly group: ThreadGroup; readonly rest: Iterator<ThreadProposal>; first: ThreadProposal | undefined }[] =
    []

  private readonly others: Drawn[] = []

  constructor(
    readonly fingerprint: string,
    readonly kind: string,
    readonly about: string,
    private readonly vary: (candidate: ThreadProposal) => ThreadProposal[],
    private readonly row: CoverageRow,
  ) {}

  /** A wait that no notify is left for: only the end of the run tells. */
  get needsTheEnd(): boolean {
    return this.kind.startsWith('deadlock') && this.kind !== 'deadlock cycle'
  }

  add(group: ThreadGroup, rest: Iterator<ThreadProposal>, first: ThreadProposal): void {
    this.sources.push({ group, rest, first })
  }

  /** Leaves out the next so many, with all their variants. */
  skip(n: number): void {
    for (let i = 0; i < n && this.fresh(); i++) this.skipped++
  }

  /** The next candidate: of one location after the other, first the first variant of each. */
  draw(): Drawn | undefined {
    // In turn: what is new, and other variants of what was drawn before.
    if (this.draws++ % 2 === 1 && this.others.length > 0) return this.others.shift()
    const fresh = this.fresh()
    if (!fresh) return this.others.shift()
    const of = new Open(this.row)
    const [best, ...others] = this.vary(fresh).map((candidate) => ({ candidate, of, isWhole: asksTheSame(candidate, fresh) }))
    if (this.others.length < MOST_OTHERS) this.others.push(...others)
    return best
  }

  /** One of them has been predicted, from another look. False if all have been settled. */
  given(): boolean {
    if (!this.fresh()) return false
    new Open(this.row).settle('feasible', 'beginning')
    return true
  }

  /**
   * Settles those that were not decided: as `how`. At most so many are drawn for it; says how many were, and the row says if there are more.
   */
  finish(how: 'grouped' | 'notLookedAt', why: LeftOut, most: number): number {
    let n = 0
    while (n < most && this.fresh()) n++
    if (this.sources.length > 0 && n === most) this.row.atLeast = true
    this.row.propose(this.skipped + n)
    this.row.settle(how, why, this.skipped + n)
    this.skipped = 0
    return n
  }

  private fresh(): ThreadProposal | undefined {
    while (this.sources.length > 0) {
      const source = this.sources.shift()!
      const first = source.first
      source.first = undefined
      const next = first ? { done: false as const, value: first } : source.rest.next()
      if (next.done) continue
      this.sources.push(source)
      this.count++
      return next.value
    }
    return undefined
  }
}

/** Variants ask for more than the candidate, or for the same with the other threads elsewhere. */
const asksTheSame = (variant: ThreadProposal, candidate: ThreadProposal): boolean =>
  variant.next === candidate.next && variant.without === candidate.without && variant.include === candidate.include

/** Why a candidate stays open that the beginning of a run rules out. */
export const ONLY_THE_BEGINNING = 'only the beginning was examined'

const MOST_OTHERS = 100

/** Beyond this many groups of candidates of a kind no further ones are looked at. */
const MOST_GROUPS = 50_000
/** What a cause loses for every likelier one of its kind, and of its cell. */
const SAME_KIND = 3
const SAME_CELL = 4

export interface Found {
  readonly causes: readonly Cause[]
  /** What proposing ruled out, so far. */
  readonly ruledOut: RuledOut
  /** There were more groups than were looked at. */
  readonly cut: boolean
}

export function findCauses(
  groups: Iterable<ThreadGroup>,
  patterns: Patterns,
  words: Words,
  vary: (candidate: ThreadProposal) => ThreadProposal[],
  late: () => boolean,
  row: CoverageRow,
): Found {
  const causes = new Map<string, Cause>()
  const ruledOut = noneRuledOut()
  const ofKind = new Map<string, number>()
  let cut = false
  for (const group of groups) {
    const before = ofKind.get(group.kind) ?? 0
    if (before === MOST_GROUPS || late()) cut = true
    if (before === MOST_GROUPS) continue
    if (cut && late()) break
    ofKind.set(group.kind, before + 1)
    const rest = group.candidates(ruledOut)[Symbol.iterator]()
    const first = rest.next()
    if (first.done) continue
    const print = fingerprint(first.value, patterns, words)
    let cause = causes.get(print)
    if (!cause) {
      const { kind, pattern } = first.value
      causes.set(print, (cause = new Cause(print, `${kind} ${pattern}`, words.about(first.value)[0]!, vary, row)))
    }
    cause.points = Math.max(cause.points, patterns.points(first.value))
    cause.add(group, rest, first.value)
  }
  return { causes: [...causes.values()], ruledOut, cut }
}

/** The likeliest first, in such an order. */
export function inOrder(causes: Cause[]): Cause[] {
  causes.sort((a, b) => b.points - a.points)
  const kinds = new Map<string, number>()
  const cells = new Map<string, number>()
  for (const cause of causes) {
    const kind = kinds.get(cause.kind) ?? 0
    const cell = cells.get(cause.about) ?? 0
    kinds.set(cause.kind, kind + 1)
    cells.set(cause.about, cell + 1)
    cause.points -= SAME_KIND * kind + SAME_CELL * cell
  }
  return causes.sort((a, b) => b.points - a.points)
}

/** The same in every run of the same program: lines and roles, no numbers of threads, cells or steps. */
function fingerprint(candidate: ThreadProposal, patterns: Patterns, words: Words): string {
  const { kind, events, next, pattern } = candidate
  const places = (kind === 'deadlock' && pattern !== 'cycle' ? next : events).map(
    (e: EventId) => `${words.role(e)} ${lineOf(words.site(e))}`,
  )
  // Which came first in the recorded run does not matter to a race, nor where a cycle begins.
  if (kind === 'data-race' || kind === 'deadlock') places.sort()
  return fingerprintOf([kind, patterns.of(candidate), ...new Set(places), ...words.about(candidate).map(threadShape).sort()])
}

/** `worker 1.2#3[7]` and `worker 1.4#3[8]` have one shape; so have two blocks of memory that were asked for at one place, two stacks, two descriptors. */
const threadShape = (name: string): string =>
  shapeOf(name.replaceAll(/(worker|thread) [\d.]+/g, '$1'))
    .replaceAll(/\+\d+:/g, '+0:')
    .replaceAll(/\b0x[0-9a-f]+/g, '0x')
    .replace(/^descriptor \d+.*/, 'descriptor')
