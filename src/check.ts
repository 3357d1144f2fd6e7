/** `heddle check`, the whole of it: record one run, predict, replay what was predicted, and keep what failed. Read this first. */
import { availableParallelism } from 'node:os'
import { newCoverage, predictLoop, type LoopCoverage } from './predict/loop/predict.ts'
import { HeddleError } from './errors.ts'
import { launchOf } from './record/command.ts'
import { record, worthAnother, type Recording, type RecordOptions } from './record/run.ts'
import { Store } from './record/store.ts'
import { confirm, type Budget, type Candidate, type Finding } from './replay/confirm.ts'
import { checkDeterminism, type Determinism } from './replay/determinism.ts'
import { reachesOutside } from './replay/outside.ts'
import { parseSaved, savedOf, type Saved } from './replay/saved.ts'
import type { Rerun } from './replay/run.ts'
import type { LoopOptions } from './predict/loop/prediction.ts'
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
  const coverage = newCoverage()
  const looking: LoopOptions = { timers: options.timers, command, limit: MOST_PREDICTIONS, deadline, coverage }
  const earlier = earlierFailures(store, recording)
  const candidates = inOrder(earlier, predictLoop(trace, looking))
  const first = candidates.next()

  const rerun: Rerun = {
    launch,
    recording,
    cwd: options.cwd,
    folder: recording.folder,
    watchdogMs: watchdog(recording),
    signal: options.signal,
  }
  const budget: Budget = {
    deadline,
    replaysLeft: options.replays,
    findings: options.maxFindings,
    confirm: options.confirm,
    atOnce: reachesOutside(trace) ? 1 : Math.min(2, availableParallelism()),
  }
  let determinism: Determinism = { runs: 0, differed: [], shapes: new Set() }
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
    determinism,
    replays: options.replays - budget.replaysLeft,
    notes: notesOf(store, recording, trace, findings),
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
    const recording = await record(options)
    return { ...recording, notes: [...recording.notes, `A first attempt was thrown away: ${error.fact}.`] }
  }
}

/** Ten times what the recorded run took. A run that had to be stopped gets as long as it had then. */
const watchdog = ({ ms, stopped }: Recording): number => (stopped ? ms + 2000 : Math.max(WATCHDOG_MS, 10 * ms))

/** Schedules of the same command that failed before. */
function earlierFailures(store: Store, { command, timers }: Recording): Saved[] {
  return store.ids('schedules').flatMap((id) => {
    const saved = parseSaved(store.get('schedules', id), id)
    if ('wrong' in saved) return []
    return saved.schedule.timers === timers && saved.schedule.command.join('\0') === command.join('\0') ? [saved] : []
  })
}

function* inOrder(earlier: readonly Saved[], predictions: Iterable<Saved>): Generator<Candidate<Saved>> {
  for (const prediction of earlier) yield { prediction, earlier: true }
  for (const prediction of predictions) yield { prediction: savedOf(prediction), earlier: false }
}

function* again<T>(first: T, rest: Iterator<T>): Generator<T> {
  yield first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

/** What failed before and is predicted again is one finding: the one that failed now, else the fresh one. */
function onePerFingerprint(findings: readonly Finding<Saved>[]): Finding<Saved>[] {
  const best = new Map<string, Finding<Saved>>()
  for (const finding of findings) {
    const known = best.get(finding.prediction.fingerprint)
    if (!known || (known.status !== 'FAILED' && known.earlier)) best.set(finding.prediction.fingerprint, finding)
  }
  return [...best.values()]
}

function keep(store: Store, { folder }: Recording, findings: readonly Finding<Saved>[]): void {
  for (const { prediction, status, replays, failure, note } of findings) {
    if (status === 'PREDICTED') continue
    store.put('findings', prediction.fingerprint, { ...prediction, status, replays, failure, note, run: folder })
    if (status === 'FAILED') store.put('schedules', prediction.fingerprint, prediction)
  }
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
