/** The process that analyses recorded tests: predicts, runs a single test again, and answers. analyser.ts starts it. */
import { readJson } from '../base/json-file.ts'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { analyse } from '../check.ts'
import { declarationsOf } from '../property/choose.ts'
import { version } from '../about.ts'
import { allowanceOf } from '../base/allowance.ts'
import type { Finding } from '../confirm/confirm.ts'
import type { Pace } from '../confirm/pace.ts'
import { codeOf, type OrdersLeft } from '../confirm/replayed.ts'
import { HeddleError } from '../errors.ts'
import type { Recording } from '../frontends/contract.ts'
import type { Launch } from '../frontends/node/launch.ts'
import { readReport } from '../frontends/node/read-report.ts'
import { writeRecording } from '../frontends/recording.ts'
import { NAME, NodeProgram } from '../frontends/node/program.ts'
import { Isolation } from '../isolate/isolation.ts'
import type { Saved } from '../schedule/saved.ts'
import { Store } from '../store/store.ts'
import { documentOf } from '../report/document.ts'
import { findingLines } from '../report/finding-text.ts'
import { eachOf } from '../report/finding-words.ts'
import { WORKERS_IN_TESTS, type RunReport } from '../runtime/js/protocol.ts'
import { keepDocument } from './document.ts'
import { reaches } from './changed.ts'
import { JOB, type Job, type JobResult } from './job.ts'
import { compare, keepSchedules, readSchedules, type Compared } from './schedules.ts'
import type { TestRunSettings } from './settings.ts'
import { FileLedger } from './ledger.ts'
import { LEAST_MS, SuiteBudget } from './suite-budget.ts'
import { SuiteMemory } from './suite-memory.ts'

const WIDTH = 100
/** Replays of one test: runners run several tests at a time. */
const AT_ONCE = Math.min(2, availableParallelism())
const NO_REPORT: RunReport = { node: process.version, modules: [], skipped: [], notes: [], events: 0, turns: 0 }

/** Less than that of a time is not worth a begin. */
const LEAST_LEFT_MS = 1000

export async function analyseTest(folder: string): Promise<JobResult> {
  const job = readJson(join(folder, JOB)) as Job
  const { time, changed, cwd } = job.config.tests!.settings as TestRunSettings
  if (changed !== undefined) {
    const { modules, skipped } = readReport(join(folder, 'report.json')) ?? NO_REPORT
    if (!reaches(changed, cwd, job.test.file, [...modules, ...skipped.map(({ file }) => file)]))
      return { replays: 0, findings: 0, notes: [], unreached: true }
  }
  const committed = readSchedules(job.test)
  // What failed once is looked at in any case, for as long as one test may take.
  if (committed.saved.length > 0) return (await analyseFor(job, folder, committed, time * 1000)).result
  const { memory, purse } = suiteOf(job)
  const { test } = job
  const code = memory && codeOf([test.file], observedOf(job, folder), cwd, version())
  purse.begin(job.clock, memory?.ahead(purse.gain) ?? 0)
  const state = { gain: purse.gain, replayMs: purse.expectedMs, lookMs: purse.lookMs }
  if (purse.isPaced ? !purse.mayLook() || memory?.isWanted(test, code) === false : purse.leftMs() < LEAST_LEFT_MS) {
    memory?.tell(test, code, undefined, state)
    return { replays: 0, findings: 0, notes: [], cut: true, left: memory?.leftOf(test) ?? 0 }
  }
  let found = false
  try {
    const [ms, pace] = purse.isPaced ? [time * 1000, purse] : [Math.min(purse.leftMs(), time * 1000), undefined]
    const { result, left } = await analyseFor(job, folder, committed, ms, pace)
    memory?.tell(test, code, left, { ...state, replayMs: purse.expectedMs })
    found = result.message !== undefined
    return result
  } finally {
    purse.end(found)
  }
}

interface Suite {
  readonly purse: SuiteBudget
  readonly memory: SuiteMemory | undefined
}

/** Of the test process that this one works for: what its analyses may use is one budget, and what is known is known of a file. */
function suiteOf({ test, clock, milliseconds, config }: Job): Suite {
  const { budget, startedAt, cwd, ...settings } = config.tests!.settings as TestRunSettings
  const isPaced = 'times' in allowanceOf(budget)!
  let memory = memories.get(test.file)
  if (!memory && isPaced && mayLeaveOut(settings)) {
    for (const one of memories.values()) one.save()
    memories.set(test.file, (memory = new SuiteMemory(Store.open(cwd), test.file, LEAST_MS)))
  }
  purse ??= new SuiteBudget(budget, startedAt, new FileLedger(config.tests!.runs), {
    replayMs: memory?.replayMs,
    lookMs: memory?.lookMs,
    guessMs: clock.toStart + milliseconds,
  })
  return { purse, memory }
}

let purse: SuiteBudget | undefined
const memories = new Map<string, SuiteMemory>()
process.once('exit', () => {
  for (const memory of memories.values()) memory.save()
})

/** Exploration begins with replays of this very run. */
const mayLeaveOut = ({
  history,
  whyVaries,
  exhaustive,
  depth,
}: Pick<TestRunSettings, 'history' | 'whyVaries' | 'exhaustive' | 'depth'>): boolean =>
  history && !whyVaries && !exhaustive && (depth ?? 1) === 1

type Committed = ReturnType<typeof readSchedules>

const reportOf = (folder: string): RunReport => readReport(join(folder, 'report.json')) ?? NO_REPORT

function observedOf({ config }: Job, folder: string): Parameters<typeof codeOf>[1] {
  const { node, modules, skipped } = reportOf(folder)
  return { timers: (config.tests!.settings as TestRunSettings).timers, observed: { runtime: `node ${node}`, modules, skipped } }
}

interface Analysed {
  readonly result: JobResult
  readonly left: OrdersLeft
}

async function analyseFor(job: Job, folder: string, committed: Committed, timeMs: number, pace?: Pace): Promise<Analysed> {
  const { test, again, milliseconds, config } = job
  const settings = config.tests!.settings as TestRunSettings
  const { time, replays, maxFindings, confirm } = settings
  const report = reportOf(folder)
  const recording: Recording = {
    frontEnd: NAME,
    command: ['node', ...again.args],
    folder,
    trace: join(folder, 'trace.heddle'),
    timers: settings.timers,
    include: config.include,
    exclude: config.exclude,
    ms: Math.round(milliseconds),
    stopped: false,
    stdio: ['quiet', 'pipe', 'pipe'],
    input: undefined,
    observed: { runtime: `node ${report.node}`, modules: report.modules, skipped: report.skipped, events: report.events },
    notes: report.notes,
  }
  writeRecording(recording)
  const launch: Launch = {
    node: process.execPath,
    args: again.args,
    env: again.env,
    cwd: again.cwd,
    notes: [],
    inner: again.process === 'inner',
  }
  const started = new Date()
  const isolation = new Isolation(settings.isolate, settings.cwd)
  const result = await analyse(new NodeProgram(launch), recording, Store.open(settings.cwd), {
    cwd: settings.cwd,
    timers: settings.timers,
    ...declarationsOf(settings.property, settings.library),
    history: settings.history,
    leaveOut: mayLeaveOut(settings) ? version() : undefined,
    timeMs,
    pace,
    isTimeSaid: settings.isTimeSaid,
    replays,
    maxFindings,
    confirm,
    whyVaries: settings.whyVaries,
    depth: settings.depth,
    exhaustive: settings.exhaustive,
    atOnce: AT_ONCE,
    // What the test changed is not put back where there are no views: the tests after it count on that.
    isolation: isolation.files ? isolation : undefined,
    test: { name: { ...test, process: again.process }, config: config.tests!, earlier: committed.saved },
    signal: stop.signal,
    onProgress: () => {},
  })
  if (result.replays > 0)
    keepDocument(
      config.tests!.runs,
      basename(folder),
      documentOf(result, { version: version(), root: settings.cwd, started, budgets: { time, replays, maxFindings, confirm } }),
    )
  const compared = compare(eachOf(result.findings), committed.saved)
  const failures = result.findings.filter((f) => f.status === 'FAILED')
  const written = !settings.leavesNoSchedules && keepSchedules(test, compared, settings.update)
  const [first] = failures
  const left = result.left ?? { orders: result.findings.filter((f) => f.status === 'PREDICTED').length, score: 0 }
  const varies =
    result.determinism.differed.length > 0
      ? [`"${test.name}" differs between runs without any delay: ${result.determinism.differed[0]}.`]
      : []
  const answer: JobResult = {
    ...(first ? { message: messageOf(failures, settings.cwd, written) } : {}),
    replays: result.replays,
    before: result.leftOut,
    left: first ? 0 : left.orders,
    findings: failures.length,
    wrong: committed.wrong,
    notes: [
      ...becameOf(compared, test.name, settings.update),
      ...varies,
      ...(result.replays > 0 ? isolation.notes : []),
      ...report.notes.filter((note) => note === WORKERS_IN_TESTS),
    ],
  }
  return { result: answer, left }
}

function messageOf(failed: readonly Finding<Saved>[], root: string, written: boolean): string {
  const lines = findingLines(failed[0]!, undefined, { width: WIDTH, colour: false, root, verbose: false })
  if (failed.length > 1)
    lines.push(
      `   ${failed.length - 1} more: ${failed
        .slice(1)
        .map((f) => f.prediction.fingerprint.slice(0, 8))
        .join(' ')}`,
    )
  if (written) lines.push('   Its schedule is in __schedules__ beside the test: commit it, and it is replayed first from now on.')
  return lines.join('\n')
}

function becameOf({ fixed, stale }: Compared, name: string, update: boolean): string[] {
  const say = (list: readonly unknown[], what: string): string[] =>
    list.length === 0
      ? []
      : [
          `${list.length === 1 ? 'A committed schedule' : `${list.length} committed schedules`} of "${name}" ${list.length === 1 ? 'is' : 'are'} ${what}${update ? ': dropped' : '; --update drops it'}.`,
        ]
  return [...say(fixed, 'fixed (the order was reached, and the test passed)'), ...say(stale, 'stale (the test goes another way now)')]
}

async function answer(folder: string): Promise<JobResult> {
  try {
    return await analyseTest(folder)
  } catch (error) {
    const problem =
      error instanceof HeddleError
        ? `${error.fact}. ${error.remedy}`
        : `This is a mistake in Heddle: ${String((error as Error).stack ?? error)}`
    return { replays: 0, findings: 0, notes: [], problem }
  }
}

// Asked by analyser.ts, with folders of tests. The end of the test process is the end of this one, with its replays.
const stop = new AbortController()
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.once(event, () => {
    stop.abort()
    if (!busy) process.exit(0)
  })
let busy = false
process.on('message', (folder: string) => {
  busy = true
  void answer(folder).then((result) => {
    busy = false
    if (stop.signal.aborted) process.exit(0)
    process.send!(result)
  })
})
