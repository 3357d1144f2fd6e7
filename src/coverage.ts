/**
 * How much was examined: one row for each predictor, with its input, its number of candidates, and how each of them was settled. Candidates are
 * counted when they are proposed and again when they are settled, so the two counts check each other: `assertAddsUp`.
 */
import type { Kind } from './witness/candidate.ts'

/** The first five are those of a recorded program; of a trace alone every kind has its own. */
export type Predictor = 'turns' | 'threads' | 'properties' | 'branches' | 'exploration' | Kind

export type Counts = Readonly<Record<string, number>>

/** As documents hold it (docs/finding.schema.json). `candidates` is the sum of the five counts after it. */
export interface SavedRow {
  readonly predictor: string
  /** What was looked at: turns, accesses, threads, steps, … */
  readonly facts: Counts
  /** Different causes among the candidates. */
  readonly causes: number
  readonly candidates: number
  /** There is an order: by the stage that found it. */
  readonly feasible: Counts
  /** There is none: by the rule or the stage that ruled it out. */
  readonly infeasible: Counts
  /** Neither was shown: by the budget that ran out. */
  readonly unknown: Counts
  /** Not decided, or not given: one of the same cause was predicted. */
  readonly grouped: number
  /** By the reason. */
  readonly notLookedAt: Counts
  /** Counting was stopped early: there are more candidates, and they were not looked at or are of a cause already predicted. */
  readonly atLeast: boolean
  /** Of those that are impossible: what a server protects, and by which rule. Left out where there is nothing of the kind. */
  readonly protected?: readonly Protected[]
  /** Exploration: the classes of runs, each with the one it was reached from. The recorded run is the first. Cut off where there are very many: `facts` has their number. */
  readonly tree?: readonly ExploredClass[]
}

/** A class of runs. */
export interface ExploredClass {
  /** Which one of the tree it was reached from; left out of the recorded run. */
  readonly from?: number
  /** By what: `thread 2 reads ready = 1 (a.c:15)`. */
  readonly by: string
  readonly ended: 'passed' | 'failed' | 'stuck'
}

export interface Protected {
  readonly location: string
  readonly by: string
  readonly candidates: number
}

export type SavedCoverage = readonly SavedRow[]

/** Of one candidate that is asked about in several ways the last of these counts. */
const ANSWERS = ['unknown', 'infeasible', 'grouped', 'feasible'] as const
export type Settled = (typeof ANSWERS)[number] | 'notLookedAt'

/** Why a candidate was not looked at. */
export type LeftOut = 'time' | 'limit' | 'tries' | 'history'

/** Places that are named as protected. */
const MOST_PROTECTED = 100
/** Classes that are kept. */
const MOST_CLASSES = 1000

/** Filled while predictions are drawn; final when the last one was given. */
export class CoverageRow {
  readonly facts: Record<string, number> = {}
  causes = 0
  candidates = 0
  readonly feasible: Record<string, number> = {}
  readonly infeasible: Record<string, number> = {}
  readonly unknown: Record<string, number> = {}
  grouped = 0
  readonly notLookedAt: Record<string, number> = {}
  atLeast = false
  private readonly protections: Protected[] = []
  private readonly classes: ExploredClass[] = []

  constructor(readonly predictor: Predictor) {}

  propose(n = 1): void {
    this.candidates += n
  }

  settle(how: Settled, why: string, n = 1): void {
    if (n === 0) return
    if (how === 'grouped') this.grouped += n
    else {
      this[how][why] = (this[how][why] ?? 0) + n
      if (this[how][why] === 0) delete this[how][why]
    }
  }

  /** What proposing itself ruled out. */
  ruledOut(rule: string, n: number): void {
    this.propose(n)
    this.settle('infeasible', rule, n)
  }

  /** Ruled out by what a server does at a location. */
  protect(location: string, by: string, n: number): void {
    this.ruledOut(by, n)
    const known = this.protections.findIndex((one) => one.location === location && one.by === by)
    if (known >= 0) this.protections[known] = { location, by, candidates: this.protections[known]!.candidates + n }
    else if (this.protections.length < MOST_PROTECTED) this.protections.push({ location, by, candidates: n })
  }

  /** A tree of classes beside those that are there. */
  plant(tree: readonly ExploredClass[]): void {
    const before = this.classes.length
    const more = tree.slice(0, Math.max(0, MOST_CLASSES - before))
    this.classes.push(...more.map(({ from, ...rest }) => (from === undefined ? rest : { from: from + before, ...rest })))
  }

  /** At least so many more were not looked at. */
  cutOff(why: LeftOut, n = 1): void {
    this.propose(n)
    this.settle('notLookedAt', why, n)
    this.atLeast = true
  }

  /** More that was looked at. */
  count(facts: Counts): void {
    for (const [name, n] of Object.entries(facts)) this.facts[name] = (this.facts[name] ?? 0) + n
  }

  /** Counts of another row are counts of this one. */
  add(other: SavedRow): void {
    this.count(other.facts)
    this.causes += other.causes
    this.propose(other.candidates)
    for (const how of ['feasible', 'infeasible', 'unknown', 'notLookedAt'] as const)
      for (const [why, n] of Object.entries(other[how])) this.settle(how, why, n)
    for (const { location, by, candidates } of other.protected ?? []) {
      this.settle('infeasible', by, -candidates)
      this.propose(-candidates)
      this.protect(location, by, candidates)
    }
    this.plant(other.tree ?? [])
    this.grouped += other.grouped
    this.atLeast ||= other.atLeast
  }

  saved(): SavedRow {
    const { predictor, facts, causes, candidates, feasible, infeasible, unknown, grouped, notLookedAt, atLeast } = this
    const counts = { predictor, facts, causes, candidates, feasible, infeasible, unknown, grouped, notLookedAt, atLeast }
    return {
      ...counts,
      ...(this.protections.length === 0 ? {} : { protected: [...this.protections] }),
      ...(this.classes.length === 0 ? {} : { tree: [...this.classes] }),
    }
  }
}

/** One candidate that is asked about in several ways: the best answer is the one that counts. */
export class Open {
  private how: (typeof ANSWERS)[number] | undefined
  private why = ''

  constructor(private readonly row: CoverageRow) {
    row.propose()
  }

  settle(how: (typeof ANSWERS)[number], why: string): void {
    if (this.how !== undefined && ANSWERS.indexOf(how) <= ANSWERS.indexOf(this.how)) return
    if (this.how !== undefined) this.row.settle(this.how, this.why, -1)
    this.row.settle(how, why)
    this.how = how
    this.why = why
  }

  get isSettled(): boolean {
    return this.how !== undefined
  }
}

export class Coverage {
  private readonly byPredictor = new Map<string, CoverageRow>()

  /** Made when it is first asked for. */
  row(predictor: Predictor): CoverageRow {
    let row = this.byPredictor.get(predictor)
    if (!row) this.byPredictor.set(predictor, (row = new CoverageRow(predictor)))
    return row
  }

  get rows(): readonly CoverageRow[] {
    return [...this.byPredictor.values()]
  }

  assertAddsUp(): void {
    for (const row of this.rows) assertAddsUp(row.saved())
  }

  saved(): SavedCoverage {
    return this.rows.map((row) => row.saved())
  }
}

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, n) => sum + n, 0)

/** Candidates that were settled, one way or another. */
export const settledIn = ({ feasible, infeasible, unknown, grouped, notLookedAt }: SavedRow): number =>
  sumOf(feasible) + sumOf(infeasible) + sumOf(unknown) + grouped + sumOf(notLookedAt)

export function assertAddsUp(row: SavedRow): void {
  const settled = settledIn(row)
  if (row.candidates !== settled)
    throw new Error(`coverage of ${row.predictor} does not add up: ${row.candidates} candidates, ${settled} settled`)
  for (const counts of [row.facts, row.feasible, row.infeasible, row.unknown, row.notLookedAt, { grouped: row.grouped }])
    for (const [name, n] of Object.entries(counts))
      if (!Number.isSafeInteger(n) || n < 0) throw new Error(`coverage of ${row.predictor}: ${name} is ${n}`)
}

/** The rows of several checks as those of one. */
export function addedUp(all: readonly SavedCoverage[]): SavedCoverage {
  const sum = new Coverage()
  for (const row of all.flat()) sum.row(row.predictor as Predictor).add(row)
  return sum.saved()
}
