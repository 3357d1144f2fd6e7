/**
 * Runs made from runs: a replay that showed something new is predicted from, as the recorded run was, and so on, until no class of runs is left or the budget is used up.
 * Of the threads of a program, whatever front end runs it.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import type { Confirmed } from '../confirm/all.ts'
import type { Budget } from '../confirm/budget.ts'
import { confirm, type Finding } from '../confirm/confirm.ts'
import { PLAIN_FIRST } from '../confirm/determinism.ts'
import { outcomeOf, type Failure } from '../confirm/outcome.ts'
import { replay, type Rerun } from '../confirm/run.ts'
import type { Coverage } from '../coverage.ts'
import type { Run } from '../frontends/contract.ts'
import type { Teller } from '../progress.ts'
import { Steps } from '../predict/threads/steps.ts'
import type { Saved } from '../schedule/saved.ts'
import { scheduleAsRecorded } from '../predict/threads/as-recorded.ts'
import { plainSchedule, type StepSchedule, type ThreadStep } from '../schedule/schedule.ts'
import type { Played } from './class.ts'
import { Frontier, type Wanted } from './frontier.ts'
import { Rules } from './rules.ts'

/** Longer runs have too many departures to ask about each. */
const MOST_EVENTS = 20_000
/** Replays in a row that show nothing new: what the program does is not told by what its threads read. */
const MOST_IN_VAIN = 12
/** Replays that are kept for the cause of what is found. */
const FOR_THE_CAUSE = 12

export interface Depth {
  /** Departures from the recorded run at most. Left out, the front end says whether its runs are explored without being asked. */
  readonly depth?: number | undefined
  readonly exhaustive?: boolean | undefined
}

/** `confirmed`: what came of the predictions from the recorded run. `coverage`: is told how far it came. */
export async function exploreThreads(
  run: Run,
  confirmed: Confirmed,
  rerun: Rerun,
  budget: Budget,
  { depth: asked, exhaustive = false }: Depth,
  coverage: Coverage,
  teller: Teller,
): Promise<Finding<Saved>[]> {
  const { threads } = run
  const failures = new Set(confirmed.findings.flatMap(({ status, failure }) => (status === 'FAILED' && failure ? [failure.shape] : [])))
  const isAsked = exhaustive || asked !== undefined
  const depth = exhaustive ? Infinity : (asked ?? (failures.size === 0 && threads?.everyStep ? Infinity : 1))
  if (depth === 1 || !threads || threads.trace.taskCount < 2) return []
  const isLong = threads.trace.eventCount > MOST_EVENTS
  if (isLong && isAsked) coverage.row('exploration').cutOff('limit')
  // Some replays are for judging what is found, and for its cause.
  const kept = isAsked ? 0 : budget.confirm + Math.min(FOR_THE_CAUSE, budget.replaysLeft >> 2)
  const isOver = (): boolean => budget.replaysLeft <= kept || performance.now() >= budget.deadline || rerun.signal?.aborted === true
  if (isLong || isOver()) return []
  teller.say('replaying', 'predicting from what replays showed')
  const { determinism } = confirmed
  await determinism.upTo(PLAIN_FIRST, budget)
  if (determinism.differed.length > 0 && !isAsked) return []
  const { trace, steps, vocabulary } = threads
  const sleeps = new Steps(trace, steps.stepOf, vocabulary).sleeps()
  const found: Finding<Saved>[] = []
  const frontier = new Frontier()
  frontier.add({ threads, stuck: false }, 0)
  let [runs, deeper, vain] = [0, 0, 0]
  const judge = async (failure: Failure | undefined, schedule: StepSchedule | undefined, depth: number): Promise<void> => {
    if (!failure || !schedule || failures.has(failure.shape)) return
    const candidate = { prediction: asFound(schedule, depth, failure), earlier: false }
    const [finding] = await confirm([candidate].values(), rerun, budget, determinism, ({ status }) => teller.judged(status))
    if (finding?.status === 'FAILED') failures.add(failure.shape)
    if (finding) found.push(finding)
  }
  const scheduled = (lines: readonly ThreadStep[], turns?: string): StepSchedule => ({
    ...plainSchedule(rerun.recording),
    kind: 'steps',
    steps: lines,
    sleeps,
    ...(turns === undefined ? {} : { turns }),
  })
  const rules = new Rules(isAsked ? [] : (threads.turns ?? []))
  while (!isOver() && failures.size < budget.findings) {
    const rule = rules.next()
    if (rule !== undefined) {
      const { failure, played } = await take(scheduled([], rule), rerun, budget, confirmed)
      runs++
      rules.tell(played !== undefined && frontier.add(played, 1) !== undefined)
      // What was done by a rule is told by the steps that came of it.
      await judge(failure, played && scheduleAsRecorded(played.threads, rerun.recording), 1)
      continue
    }
    const wanted: Wanted | undefined = isAsked || vain < MOST_IN_VAIN ? frontier.next(isOver) : undefined
    if (!wanted) {
      if (frontier.isComplete || !rules.goOn()) break
      continue
    }
    if (wanted.depth > depth) {
      deeper++
      continue
    }
    const schedule = scheduled(wanted.lines)
    const { failure, played, isWhole } = await take(schedule, rerun, budget, confirmed)
    runs++
    const isNew = frontier.tell(wanted, played, isWhole) !== undefined
    vain = isNew ? 0 : vain + 1
    await judge(failure, schedule, wanted.depth)
  }
  const row = coverage.row('exploration')
  row.count({ runs, classes: frontier.classCount, depth: frontier.depth })
  for (const [why, n] of Object.entries({
    ...frontier.undecided,
    'not all of the program was observed': Number(!isAllObserved(run, rerun)),
  })) {
    row.propose(n)
    row.settle('unknown', why, n)
  }
  if (frontier.left > 0) row.cutOff(performance.now() >= budget.deadline ? 'time' : 'limit', frontier.left)
  if (deeper > 0) row.cutOff('limit', deeper)
  return found
}

/** One run: how it failed, if it did, its threads where they say something, and whether it was carried out as a whole. */
async function take(
  schedule: StepSchedule,
  rerun: Rerun,
  budget: Budget,
  { determinism }: Confirmed,
): Promise<{ readonly failure?: Failure | undefined; readonly played?: Played | undefined; readonly isWhole: boolean }> {
  budget.replaysLeft--
  const left = Math.max(1000, budget.deadline - performance.now())
  const run = await replay({ ...rerun, watchdogMs: Math.min(rerun.watchdogMs, left) }, schedule, true)
  // Nobody knows what would have come of it, so not all was run.
  if (run.stopped === 'interrupted') return { isWhole: false }
  const outcome = outcomeOf(run, schedule, rerun.recording, { known: determinism.violations })
  const failure = outcome.result === 'failed' ? outcome.failure : undefined
  const stuck = failure?.how === 'hang'
  const failed = failure && !stuck ? { how: failure.shape, task: run.crash?.task } : undefined
  // What had to be ended says nothing of where it would have come to.
  const played =
    run.threads && run.threads.trace.eventCount <= MOST_EVENTS && run.stopped !== 'watchdog'
      ? { threads: run.threads, stuck, failed }
      : undefined
  return { failure, played, isWhole: failure !== undefined || (run.steps?.done ?? 0) >= schedule.steps.length }
}

/** Only then it can be said of a program that all was run. */
const isAllObserved = ({ loop, processes = [], notes, threads }: Run, { recording }: Rerun): boolean =>
  !loop && processes.length === 0 && notes.length === 0 && threads!.notes.length === 0 && !recording.stopped

/** What is known of it before its cause is. */
function asFound(schedule: StepSchedule, depth: number, { shape }: Failure): Saved {
  return {
    fingerprint: fingerprintOf(['explored', shape]),
    kind: 'explored',
    pattern: 'order of threads',
    summary: `The program fails when its threads take turns like this, ${depth === 1 ? 'one departure' : `${depth} departures`} from the recorded run.`,
    sites: [...new Set(schedule.steps.flatMap(({ site }) => (site === '' ? [] : [site])))],
    locations: [],
    observed: [],
    failing: [],
    why: [],
    count: 1,
    schedule,
  }
}
