/**
 * Explores: a replay that showed something new is predicted from, like the recorded run, and so on, until nothing is left or the budget is used up. A
 * source says what to ask of a run: threads.ts for threads, loop.ts for an event loop. Replays run in parallel where they do not affect each other.
 */
import type { Confirmed } from '../confirm/all.ts'
import { isOver, patience, type Budget } from '../confirm/budget.ts'
import { confirm, type Finding } from '../confirm/confirm.ts'
import { PLAIN_FIRST } from '../confirm/determinism.ts'
import { outcomeOf, type Failure } from '../confirm/outcome.ts'
import { replay, type Rerun, type ReplayRun } from '../confirm/run.ts'
import type { Coverage, Counts, ExploredClass } from '../coverage.ts'
import type { Teller } from '../progress.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Schedule } from '../schedule/schedule.ts'

export interface Depth {
  /** Departures from the recorded run at most. Left out, the front end says whether its runs are explored without being asked. */
  readonly depth?: number | undefined
  readonly exhaustive?: boolean | undefined
}

/** What is given out is independent of what else is, and may be made again. */
export interface Source<W extends { readonly depth: number }> {
  /** The next run to make. `late`: asked now and then. `inVain`: the last ones showed nothing new, so what is asked next must be of another kind. */
  next(late: () => boolean, inVain: boolean): W | undefined | Promise<W | undefined>
  scheduleOf(wanted: W): Schedule
  /** What came of it: undefined where nobody knows. Is it something new? Undefined: that says nothing of what is asked next. */
  tell(wanted: W, run: ReplayRun | undefined, failure: Failure | undefined, late: () => boolean): boolean | undefined | Promise<boolean>
  /** What is known of a failure before its cause is; undefined where no schedule makes it again. */
  asFound(wanted: W, schedule: Schedule, failure: Failure, run: ReplayRun): Saved | undefined
  /** Runs to be made, as far as they are known. */
  readonly left: number
  readonly classCount: number
  readonly depth: number
  /** What was neither made nor shown to be impossible, by the reason. */
  readonly undecided: Counts
  /** Its candidates are not all there are: when none is left, that does not mean that all was run. */
  readonly isPartial: boolean
  /** Names of the classes that were met since this was asked last: the same in every process. */
  newClasses(): string[]
  /** The classes, each with the one it was reached from. */
  readonly tree: readonly ExploredClass[]
}

/** What exploration goes by. */
export interface Exploring {
  readonly confirmed: Confirmed
  readonly rerun: Rerun
  readonly budget: Budget
  readonly depth: Depth
  /** Is told how far it came. */
  readonly coverage: Coverage
  readonly teller: Teller
}

/** Replays in a row that show nothing new: what the program does is not told by what it reads. */
const MOST_IN_VAIN = 12
/** Replays that are kept for the cause of what is found. */
const FOR_THE_CAUSE = 12

export const isAsked = ({ depth, exhaustive = false }: Depth): boolean => exhaustive || depth !== undefined

/** How the program has failed so far. */
export const failuresOf = ({ findings }: Confirmed): Set<string> =>
  new Set(findings.flatMap(({ status, failure }) => (status === 'FAILED' && failure ? [failure.shape] : [])))

/** `byDefault`: how deep, where nobody asked and nothing failed. */
export function mostDepth({ confirmed, depth: { depth, exhaustive = false } }: Exploring, byDefault: number): number {
  return exhaustive ? Infinity : (depth ?? (failuresOf(confirmed).size === 0 ? byDefault : 1))
}

/** Is there nothing left to run? Some replays are for judging what is found, and for its cause. */
export function overIn({ budget, rerun, depth }: Exploring): () => boolean {
  const kept = isAsked(depth) ? 0 : budget.confirm + Math.min(FOR_THE_CAUSE, budget.replaysLeft >> 2)
  return () => budget.replaysLeft <= kept || isOver(budget) || rerun.signal?.aborted === true
}

/** Does it vary by itself? Then only who asks for it gets it explored. */
export async function varies({ confirmed: { determinism }, budget, depth }: Exploring): Promise<boolean> {
  await determinism.upTo(PLAIN_FIRST, budget)
  return determinism.differed.length > 0 && !isAsked(depth)
}

export async function drive<W extends { readonly depth: number }>(
  source: Source<W>,
  exploring: Exploring,
  most: number,
): Promise<Finding<Saved>[]> {
  const { confirmed, rerun, budget, depth, coverage, teller } = exploring
  const over = overIn(exploring)
  const failures = failuresOf(confirmed)
  const found: Finding<Saved>[] = []
  let [runs, deeper, vain] = [0, 0, 0]
  teller.say('replaying', 'predicting from what replays showed')
  for (const key of source.newClasses()) await rerun.makes?.claim(key)
  const one = async (wanted: W): Promise<void> => {
    const schedule = source.scheduleOf(wanted)
    const { failure, isNew, run } = await take(wanted, schedule, source, exploring, over)
    runs++
    if (isNew !== undefined) vain = isNew ? 0 : vain + 1
    if (!failure || failures.has(failure.shape)) return
    const prediction = source.asFound(wanted, schedule, failure, run)
    if (!prediction) return
    // One at a time: the first tells the others that it is known.
    failures.add(failure.shape)
    const [finding] = await confirm([{ prediction, earlier: false }].values(), rerun, budget, confirmed.determinism, ({ status }) =>
      teller.judged(status),
    )
    if (finding?.status !== 'FAILED') failures.delete(failure.shape)
    if (finding) found.push(finding)
  }
  const under = new Set<Promise<void>>()
  for (;;) {
    const goesOn = !over() && failures.size < budget.findings && under.size < budget.atOnce
    const wanted = goesOn ? await source.next(over, !isAsked(depth) && vain >= MOST_IN_VAIN) : undefined
    if (wanted && wanted.depth > most) deeper++
    else if (wanted) {
      const running: Promise<void> = one(wanted).finally(() => under.delete(running))
      under.add(running)
    } else if (under.size > 0) await Promise.race(under)
    else break
  }
  const row = coverage.row('exploration')
  row.count({ runs, classes: source.classCount, partial: Number(source.isPartial), failures: failures.size })
  row.facts['depth'] = Math.max(row.facts['depth'] ?? 0, source.depth)
  row.plant(source.tree)
  for (const [why, n] of Object.entries(source.undecided)) {
    row.propose(n)
    row.settle('unknown', why, n)
  }
  if (source.left > 0) row.cutOff(isOver(budget) ? 'time' : 'limit', source.left)
  if (deeper > 0) row.cutOff('limit', deeper)
  return found
}

/** One run, and what its source learns from it: how it failed, if it did, and whether it showed something new. */
async function take<W extends { readonly depth: number }>(
  wanted: W,
  schedule: Schedule,
  source: Source<W>,
  { rerun, budget, confirmed: { determinism } }: Exploring,
  late: () => boolean,
): Promise<{ readonly failure?: Failure | undefined; readonly isNew: boolean | undefined; readonly run: ReplayRun }> {
  budget.replaysLeft--
  const run = await replay({ ...rerun, watchdogMs: Math.min(rerun.watchdogMs, patience(budget)) }, schedule, true)
  budget.pace?.took(run.exit.ms)
  if (run.stopped === 'interrupted') {
    // Nobody knows what would have come of it, so not all was run.
    await source.tell(wanted, undefined, undefined, late)
    return { isNew: false, run }
  }
  const outcome = outcomeOf(run, schedule, rerun.recording, { known: determinism.violations })
  const failure = outcome.result === 'failed' ? outcome.failure : undefined
  const isNew = await source.tell(wanted, run, failure, late)
  for (const key of source.newClasses()) await rerun.makes?.claim(key)
  return { failure, isNew, run }
}
