/** The process that analyses recorded tests: predicts, runs a single test again, and answers. analyser.ts starts it. */
import { readJson } from '../base/json-file.ts'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { analyse } from '../check.ts'
import { declarationsOf } from '../property/choose.ts'
import { version } from '../about.ts'
import type { Finding } from '../confirm/confirm.ts'
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
import { SuiteBudget } from './suite-budget.ts'

const WIDTH = 100
/** Replays of one test: runners run several tests at a time. */
const AT_ONCE = Math.min(2, availableParallelism())
const NO_REPORT: RunReport = { node: process.version, modules: [], skipped: [], notes: [], events: 0, turns: 0 }

/** Of the test process that this one works for. */
let suite: SuiteBudget | undefined

export async function analyseTest(folder: string): Promise<JobResult> {
  const job = readJson(join(folder, JOB)) as Job
  const { budget, startedAt, time, changed, cwd } = job.config.tests!.settings as TestRunSettings
  if (changed !== undefined) {
    const { modules, skipped } = readReport(join(folder, 'report.json')) ?? NO_REPORT
    if (!reaches(changed, cwd, job.test.file, [...modules, ...skipped.map(({ file }) => file)]))
      return { replays: 0, findings: 0, notes: [], unreached: true }
  }
  suite ??= new SuiteBudget(budget, startedAt, job.milliseconds)
  const committed = readSchedules(job.test)
  // What failed once is looked at in any case.
  const ms = committed.saved.length > 0 ? time * 1000 : suite.left()
  if (ms === undefined) return { replays: 0, findings: 0, notes: [], cut: true }
  return suite.during(() => analyseFor(job, folder, committed, Math.min(ms, time * 1000)))
}

type Committed = ReturnType<typeof readSchedules>

async function analyseFor(job: Job, folder: string, committed: Committed, timeMs: number): Promise<JobResult> {
  const { test, again, milliseconds, config } = job
  const settings = config.tests!.settings as TestRunSettings
  const { time, replays, maxFindings, confirm } = settings
  const report = readReport(join(folder, 'report.json')) ?? NO_REPORT
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
  // Exploration begins with replays of this very run.
  const mayLeaveOut = settings.history && !settings.whyVaries && !settings.exhaustive && (settings.depth ?? 1) === 1
  const result = await analyse(new NodeProgram(launch), recording, Store.open(settings.cwd), {
    cwd: settings.cwd,
    timers: settings.timers,
    ...declarationsOf(settings.property, settings.library),
    history: settings.history,
    leaveOut: mayLeaveOut ? version() : undefined,
    timeMs,
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
  const left = result.findings.filter((f) => f.status === 'PREDICTED').length
  const unreplayed =
    left > 0 && !first
      ? [`"${test.name}": ${left === 1 ? 'one order was' : `${left} orders were`} not replayed, for lack of time or replays.`]
      : []
  const varies =
    result.determinism.differed.length > 0
      ? [`"${test.name}" differs between runs without any delay: ${result.determinism.differed[0]}.`]
      : []
  return {
    ...(first ? { message: messageOf(failures, settings.cwd, written) } : {}),
    replays: result.replays,
    before: result.leftOut,
    findings: failures.length,
    wrong: committed.wrong,
    notes: [
      ...becameOf(compared, test.name, settings.update),
      ...varies,
      ...unreplayed,
      ...(result.replays > 0 ? isolation.notes : []),
      ...report.notes.filter((note) => note === WORKERS_IN_TESTS),
    ],
  }
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
