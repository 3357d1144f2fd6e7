/** `heddle check`, the whole of it: record one run, predict, replay what was predicted, and keep what failed. Read this first. */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LoopRun } from './causal/loop/run.ts'
import { LoopView } from './causal/loop/turns.ts'
import { newBranchCoverage, type BranchCoverage } from './predict/branches/coverage.ts'
import { predictAllBranches } from './predict/branches/predict.ts'
import { freeInJoined } from './predict/branches/thread-weave.ts'
import { newCoverage, predictLoop, type LoopCoverage } from './predict/loop/predict.ts'
import { newPropertyCoverage, predictProperties, type PropertyCoverage } from './predict/loop/property.ts'
import { newThreadCoverage, predictThreads, type ThreadCoverage, type ThreadPrediction } from './predict/threads/predict.ts'
import { nativeFolder } from './native/config-file.ts'
import { withLoose } from './native/delay.ts'
import type { NativeRun } from './native/read-run.ts'
import { readResult } from './native/result.ts'
import type { Declaration, Property, Typestate } from './property/ast.ts'
import { nativeTypestates } from './property/library.ts'
import { seenFromBegin } from './property/machine.ts'
import { speakOfCalls, watchesOf } from './property/watch.ts'
import { Pictures, USUAL_PICTURE } from './picture/pictures.ts'
import { Attempts } from './attempts.ts'
import { again, alternately, inOrder } from './candidates.ts'
import { HeddleError } from './errors.ts'
import { Teller, type OnProgress } from './progress.ts'
import { launchOf, type Launch } from './record/command.ts'
import { joinNative } from './record/native.ts'
import { joinThreads, threadsTrace } from './record/threads.ts'
import { ProgressFile } from './record/progress-file.ts'
import { record, worthAnother, type Recording, type RecordOptions } from './record/run.ts'
import { finish, Store } from './record/store.ts'
import { withBranches } from './replay/branch-findings.ts'
import { confirm, type Budget, type Finding } from './replay/confirm.ts'
import { checkDeterminism, type Determinism } from './replay/determinism.ts'
import { nativeEnd } from './replay/native.ts'
import { emptySchedule } from './replay/empty-schedule.ts'
import { reachesOutside } from './replay/outside.ts'
import { earlierFailures, keep, onePerFingerprint } from './replay/kept.ts'
import { asRecorded, shownAnyway, violationsOf } from './replay/violations.ts'
import { withSaved } from './replay/saved-properties.ts'
import type { Saved, SavedTest } from './replay/saved.ts'
import type { Rerun } from './replay/run.ts'
import type { TestsConfig } from './runtime/js/protocol.ts'
import { readPaths } from './symbolic/read-paths.ts'
import { TraceBuilder } from './trace/builder.ts'
import { openTrace } from './trace/open.ts'
import type { Trace } from './trace/trace.ts'

/** Ends a replay that hangs. */
const WATCHDOG_MS = 10_000
/** A test runner has to start, too. */
const TEST_WATCHDOG_MS = 30_000
const PLAIN_REPLAYS = 2
/** Attempts to record a run that passes. */
const MOST_RECORDINGS = 4
const LONG_RUN_MS = 5000
/** Predictions looked at beyond what can be replayed: they are counted, and listed on demand. */
const MOST_PREDICTIONS = 500

/** What the analysis of a recorded run needs to know. */
export interface AnalyseOptions {
  readonly cwd: string
  readonly timers: RecordOptions['timers']
  readonly branches?: RecordOptions['branches']
  /** Properties and typestates to look for. */
  readonly properties: readonly Declaration[]
  /** Names of those that somebody asked for. What the recorded run shows of the others is a note: the program lives with it. */
  readonly asked: ReadonlySet<string>
  /** Leave out what earlier checks tried in vain. */
  readonly history: boolean
  /** Milliseconds for everything after the recorded run. */
  readonly timeMs: number
  readonly replays: number
  readonly maxFindings: number
  readonly confirm: number
  /** Events in each run of a picture at most; 0: no pictures. Left out, a few hundred. */
  readonly picture?: number | undefined
  /** The recorded run is that of a test, by its runner. */
  readonly test?: {
    readonly name: SavedTest
    readonly config: TestsConfig
    /** Its committed schedules. */
    readonly earlier: readonly Saved[]
  }
  /** Stops the analysis: what was found until then is the result. */
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

export interface CheckOptions
  extends AnalyseOptions, Pick<RecordOptions, 'include' | 'exclude' | 'detail' | 'outputToError' | 'quiet' | 'limitMs' | 'stop'> {
  /** The folder that `.heddle` goes to; left out, `cwd`. */
  readonly storeIn?: string
}

export interface CheckResult {
  readonly recording: Recording
  readonly store: Store
  readonly findings: readonly Finding<Saved>[]
  readonly coverage: LoopCoverage
  /** Absent when no property was looked for. */
  readonly properties?: PropertyCoverage | undefined
  /** Absent when the program has one thread. */
  readonly threads?: ThreadCoverage | undefined
  /** Absent unless branches were asked for. */
  readonly branches?: BranchCoverage | undefined
  readonly determinism: Determinism
  readonly replays: number
  readonly notes: readonly string[]
  readonly seconds: number
  readonly interrupted: boolean
}

export async function check(command: readonly string[], options: CheckOptions): Promise<CheckResult> {
  const launch = launchOf(command, options.cwd)
  const store = Store.open(options.storeIn ?? options.cwd)
  const watch = watchesOf(options.properties)
  const folder = store.newRun()
  const shown = new ProgressFile(store.folder)
  const onProgress: OnProgress = (progress) => {
    shown.tell(progress)
    options.onProgress(progress)
  }
  try {
    new Teller(onProgress, options.replays).say('recording', 'running the program once')
    const recording = await recordPassing({ ...options, launch, command, folder, watch })
    options.signal.throwIfAborted()
    return await analyse(recording, launch, store, { ...options, onProgress })
  } finally {
    shown.end()
    finish(folder)
  }
}

/** Everything after the recorded run: predict, replay, keep. */
export async function analyse(recorded: Recording, launch: Launch, store: Store, options: AnalyseOptions): Promise<CheckResult> {
  const { command } = recorded
  const teller = new Teller(options.onProgress, options.replays)
  teller.say('predicting', 'looking for what other runs can do')
  const start = performance.now()
  const deadline = start + options.timeMs
  // A native program has threads and no loop.
  const native: NativeRun | undefined = launch.native && joinNative(recorded.folder, options.cwd)
  const recording = native ? { ...recorded, report: { ...recorded.report, events: native.counts.events } } : recorded
  const trace = native ? new TraceBuilder().finish({ source: recording.trace }) : openTrace(recording.trace)
  const joined = native ?? joinThreads(recording.folder)
  const budget: Budget = {
    deadline,
    replaysLeft: options.replays,
    findings: options.maxFindings,
    confirm: options.confirm,
    atOnce: native || reachesOutside(trace) ? 1 : Math.min(2, availableParallelism()),
  }
  teller.replays = () => options.replays - budget.replaysLeft
  const coverage = newCoverage()
  const properties = options.properties.length > 0 && !native ? newPropertyCoverage() : undefined
  const run = new LoopRun(new LoopView(trace))
  const partly: string[] = []
  const shown = native
    ? nativeEnd(recording.folder, options.cwd, emptySchedule(recording)).violations
    : violationsOf(run, options.properties, undefined, (note) => partly.push(note))
  const attempts = options.history ? new Attempts(store, trace, options.timers, options.cwd) : undefined
  const threads = joined && joined.trace.taskCount > 1 ? newThreadCoverage() : undefined
  const notes: string[] = [...(joined?.notes ?? []), ...partly, ...shownAnyway(shown.filter((v) => !options.asked.has(v.property)))]
  const ofMain = threads && !native ? speakOfCalls(options.properties.filter((d) => options.asked.has(d.name))).map((d) => d.name) : []
  if (ofMain.length > 0) notes.push(`Calls inside worker threads are not recorded: ${ofMain.join(', ')} was looked for in the main thread.`)
  const looking = { timers: options.timers, command, limit: MOST_PREDICTIONS, deadline }
  const { test } = options
  const earlier = test ? [...test.earlier] : earlierFailures(store, recording)
  const branches = options.branches && !native ? newBranchCoverage() : undefined
  const dropped = native ? readResult(nativeFolder(recording.folder)).dropped : 0
  if (dropped > 0)
    notes.push(
      `${dropped.toLocaleString('en')} accesses to memory that one thread alone had touched by then were counted and not recorded.`,
    )
  if (options.branches && native) notes.push('Branches are followed in Node programs only: --branches did nothing.')
  const paths = branches ? readPaths(recording.folder) : []
  if (branches) teller.say('predicting', 'deciding branches')
  const flippable =
    branches && (await predictAllBranches(run, joined, paths, { ...looking, coverage: branches, onNote: (note) => notes.push(note) }))
  // Where steps cannot be counted on, threads can still be held at places.
  const loosely = (all: Generator<ThreadPrediction>) => (native ? withLoose(all, native, recording.ms) : all)
  const candidates = inOrder(
    earlier,
    asRecorded(
      shown.filter((v) => options.asked.has(v.property)),
      options.properties,
      recording,
    ),
    threads &&
      loosely(
        predictThreads(joined!.trace, joined!.steps.stepOf, {
          ...looking,
          properties: options.properties.filter((d): d is Property => d.kind === 'property' && options.asked.has(d.name)),
          ...(native
            ? {
                native: true,
                typestates: [
                  ...nativeTypestates(),
                  ...options.properties.filter((d): d is Typestate => d.kind === 'typestate' && options.asked.has(d.name)),
                ],
              }
            : {}),
          coverage: threads,
          ...(branches ? { free: freeInJoined(joined!, paths) } : {}),
          onNote: (note) => notes.push(note),
        }),
      ),
    alternately(
      flippable,
      alternately(
        properties &&
          predictProperties(run, { ...looking, declarations: options.properties, coverage: properties, ...(attempts ? { attempts } : {}) }),
        predictLoop(run.view, { ...looking, coverage }),
      ),
    ),
    () => budget.replaysLeft > 0 && !options.signal.aborted,
  )
  const first = candidates.next()

  const rerun: Rerun = {
    launch,
    recording,
    cwd: options.cwd,
    folder: recording.folder,
    watchdogMs: Math.max(watchdog(recording), test ? TEST_WATCHDOG_MS : 0),
    properties: withSaved(options.properties, earlier),
    ...(branches ? { paths: { paths, view: run.view } } : {}),
    fromBegin: new Set(options.properties.filter((d) => d.kind === 'typestate' && seenFromBegin(d, run)).map((d) => d.name)),
    ...(test ? { tests: { ...test.config, only: test.name } } : {}),
    ...(native ? { pcs: native.pcs } : {}),
    signal: options.signal,
    onBegin: () => teller.began(),
    ...(options.picture === 0 ? {} : { pictures: new Pictures({ run, joined }, options.picture ?? USUAL_PICTURE) }),
  }
  let determinism: Determinism = { runs: 0, failed: 0, differed: [], shapes: new Set(), violations: new Set(), outputs: [], flips: [] }
  let findings: Finding<Saved>[] = []
  if (!first.done) {
    teller.say('replaying', 'replaying with nothing held')
    determinism = await checkDeterminism(rerun, Math.min(PLAIN_REPLAYS, options.replays), deadline, shown)
    budget.replaysLeft -= determinism.runs
    const all = await confirm(again(first.value, candidates), rerun, budget, determinism, ({ status }) => teller.judged(status))
    findings = onePerFingerprint(all)
    if (branches) findings = withBranches(findings, determinism)
    if (test) findings = findings.map((f) => ({ ...f, prediction: { ...f.prediction, test: test.name } }))
  }
  keep(store, recording, findings)
  attempts?.keep(findings, command)
  teller.done('done', options.signal.aborted)
  return {
    recording,
    store,
    findings,
    coverage,
    properties,
    threads,
    branches,
    determinism,
    replays: options.replays - budget.replaysLeft,
    notes: [...notes, ...notesOf(store, recording, trace, findings)],
    seconds: (performance.now() - start) / 1000,
    interrupted: options.signal.aborted,
  }
}

/**
 * A recorded run is slower than a plain one, so it may be the recording that let it fail: then another one passes, most of the time. What fails at
 * once is tried a few times, what takes longer only once more.
 */
export async function recordPassing(options: RecordOptions): Promise<Recording> {
  let thrownAway: HeddleError | undefined
  for (let left = MOST_RECORDINGS; ; left--) {
    const start = performance.now()
    try {
      const recording = await record(options)
      if (!thrownAway) return recording
      return { ...recording, notes: [...recording.notes, `A first attempt was thrown away: ${thrownAway.fact}.`] }
    } catch (error) {
      if (!(error instanceof HeddleError) || error.code !== 'recorded-run-failed' || options.stop.aborted) throw error
      const long = performance.now() - start > LONG_RUN_MS
      if (left === 1 || (long && thrownAway) || !worthAnother(options.folder))
        throw options.launch.native ? withTrace(error, options) : error
      thrownAway ??= error
      rmSync(join(options.folder, 'threads'), { recursive: true, force: true })
    }
  }
}

/** What a native program did until it failed is kept: it may say why. */
function withTrace(error: HeddleError, { folder, cwd }: RecordOptions): HeddleError {
  try {
    joinNative(folder, cwd)
    return new HeddleError(error.code, error.fact, `${error.remedy}. What it did until then: heddle show ${threadsTrace(folder)}`)
  } catch {
    return error
  }
}

/** Ten times what the recorded run took. A run that had to be stopped gets as long as it had then. */
const watchdog = ({ ms, stopped }: Recording): number => (stopped ? ms + 2000 : Math.max(WATCHDOG_MS, 10 * ms))

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
