/** `heddle check`, the whole of it: record one run, predict, replay what was predicted, and keep what failed. Read this first. */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { newCoverage, predictLoop, type LoopCoverage } from './predict/loop/predict.ts'
import { newThreadCoverage, predictThreads, type ThreadCoverage, type ThreadPrediction } from './predict/threads/predict.ts'
import { HeddleError } from './errors.ts'
import { launchOf } from './record/command.ts'
import { joinThreads } from './record/threads.ts'
import { record, worthAnother, type Recording, type RecordOptions } from './record/run.ts'
import { Store } from './record/store.ts'
import { confirm, type Budget, type Candidate, type Finding } from './replay/confirm.ts'
import { checkDeterminism, type Determinism } from './replay/determinism.ts'
import { reachesOutside } from './replay/outside.ts'
import { earlierFailures, keep, onePerFingerprint } from './replay/kept.ts'
import { savedOf, type Saved } from './replay/saved.ts'
import type { Rerun } from './replay/run.ts'
import type { OrderPrediction } from './predict/prediction.ts'
import { openTrace } from './trace/open.ts'
import type { Trace } from './trace/trace.ts'

/** Ends a replay that hangs. */
const WATCHDOG_MS = 10_000
const PLAIN_REPLAYS = 2
/** Predictions looked at beyond what can be replayed: they are counted, and listed on demand. */
const MOST_PREDICTIONS = 500

export interface CheckOptions extends Pick<
  RecordOptions,
  'timers' | 'include' | 'exclude' | 'detail' | 'outputToError' | 'limitMs' | 'stop'
> {
  readonly cwd: string
  /** Milliseconds for everything after the recorded run. */
  readonly timeMs: number
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
  /** Stops the analysis: what was found until then is the result. */
  readonly signal: AbortSignal
  /** `predicting` begins when the recorded run has ended, `replaying` when the first replay is about to start. */
  readonly onPhase: (phase: 'predicting' | 'replaying') => void
  readonly onProgress: (text: string) => void
}

export interface CheckResult {
  readonly recording: Recording
  readonly store: Store
  readonly findings: readonly Finding<Saved>[]
  readonly coverage: LoopCoverage
  /** Absent when the program has one thread. */
  readonly threads?: ThreadCoverage | undefined
  readonly determinism: Determinism
  readonly replays: number
  readonly notes: readonly string[]
  readonly seconds: number
  readonly interrupted: boolean
}

export async function check(command: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const launch = launchOf(command, options.cwd)
  const store = Store.open(options.cwd)
  const recording = await recordPassing({ ...options, launch, command, folder: store.newRun() })

  options.onPhase('predicting')
  const start = performance.now()
  const deadline = start + options.timeMs
  const trace = openTrace(recording.trace)
  const joined = joinThreads(recording.folder)
  const budget: Budget = {
    deadline,
    replaysLeft: options.replays,
    findings: options.maxFindings,
    confirm: options.confirm,
    atOnce: reachesOutside(trace) ? 1 : Math.min(2, availableParallelism()),
  }
  const coverage = newCoverage()
  const threads = joined && joined.trace.taskCount > 1 ? newThreadCoverage() : undefined
  const notes: string[] = [...(joined?.notes ?? [])]
  const looking = { timers: options.timers, command, limit: MOST_PREDICTIONS, deadline }
  const candidates = inOrder(
    earlierFailures(store, recording),
    threads && predictThreads(joined!.trace, joined!.steps.stepOf, { ...looking, coverage: threads, onNote: (note) => notes.push(note) }),
    predictLoop(trace, { ...looking, coverage }),
    () => budget.replaysLeft > 0 && !options.signal.aborted,
  )
  const first = candidates.next()

  const rerun: Rerun = {
    launch,
    recording,
    cwd: options.cwd,
    folder: recording.folder,
    watchdogMs: watchdog(recording),
    signal: options.signal,
  }
  let determinism: Determinism = { runs: 0, failed: 0, differed: [], shapes: new Set() }
  let findings: Finding<Saved>[] = []
  if (!first.done) {
    options.onPhase('replaying')
    options.onProgress('replaying with nothing held')
    determinism = await checkDeterminism(rerun, Math.min(PLAIN_REPLAYS, options.replays), deadline)
    budget.replaysLeft -= determinism.runs
    const all = await confirm(again(first.value, candidates), rerun, budget, determinism, (finding) => {
      options.onProgress(`${options.replays - budget.replaysLeft} replays, last one ${finding.status}`)
    })
    findings = onePerFingerprint(all)
  }
  keep(store, recording, findings)
  return {
    recording,
    store,
    findings,
    coverage,
    threads,
    determinism,
    replays: options.replays - budget.replaysLeft,
    notes: [...notes, ...notesOf(store, recording, trace, findings)],
    seconds: (performance.now() - start) / 1000,
    interrupted: options.signal.aborted,
  }
}

/** A recorded run is slower than a plain one, so it may be the recording that let it fail: then a second one passes, most of the time. */
async function recordPassing(options: RecordOptions): Promise<Recording> {
  try {
    return await record(options)
  } catch (error) {
    if (!(error instanceof HeddleError) || error.code !== 'recorded-run-failed' || options.stop.aborted) throw error
    if (!worthAnother(options.folder)) throw error
    rmSync(join(options.folder, 'threads'), { recursive: true, force: true })
    const recording = await record(options)
    return { ...recording, notes: [...recording.notes, `A first attempt was thrown away: ${error.fact}.`] }
  }
}

/** Ten times what the recorded run took. A run that had to be stopped gets as long as it had then. */
const watchdog = ({ ms, stopped }: Recording): number => (stopped ? ms + 2000 : Math.max(WATCHDOG_MS, 10 * ms))

/** What failed before, then one of every cause among threads, then turns of the main loop, then more of the threads while it can be replayed. */
function* inOrder(
  earlier: readonly Saved[],
  threads: Iterator<ThreadPrediction> | undefined,
  turns: Iterable<OrderPrediction>,
  mayReplay: () => boolean,
): Generator<Candidate<Saved>> {
  const fresh = (prediction: OrderPrediction): Candidate<Saved> => ({ prediction: savedOf(prediction), earlier: false })
  for (const prediction of earlier) yield { prediction, earlier: true }
  let next = threads?.next()
  for (; next && !next.done && !next.value.again; next = threads!.next()) yield fresh(next.value)
  for (const prediction of turns) yield fresh(prediction)
  for (; next && !next.done && mayReplay(); next = threads!.next()) yield fresh(next.value)
}

function* again<T>(first: T, rest: Iterator<T>): Generator<T> {
  yield first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

const hasTimers = (trace: Trace): boolean => [...trace.tables.queues].some((queue) => queue.startsWith('timer '))

function notesOf(store: Store, recording: Recording, trace: Trace, findings: readonly Finding<Saved>[]): string[] {
  const notes = [...recording.notes, ...recording.report.notes]
  if (store.note !== undefined) notes.push(store.note)
  if (trace.facts.truncated !== undefined) notes.push(`The trace is not whole: ${trace.facts.truncated}`)
  if (recording.timers === 'due' && hasTimers(trace) && !findings.some((f) => f.status === 'FAILED'))
    notes.push(
      'Timers kept to their times, and async functions answered at once. Where they stand for a server, look again with `--timers latency`.',
    )
  const mended = findings.filter((f) => f.earlier && f.status !== 'FAILED' && f.status !== 'PREDICTED').length
  if (mended > 0) notes.push(`${mended === 1 ? 'One schedule' : `${mended} schedules`} that failed in an earlier check did not fail now.`)
  return notes
}
