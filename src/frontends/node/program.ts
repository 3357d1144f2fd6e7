/** A Node program: its event loop, its worker threads (src/frontends/workers), and, with `--branches`, the inputs of its branches. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runAgain } from '../../process/again.ts'
import { hadInput, howItEnded, runRecorded } from '../../process/recorded.ts'
import { withEffects, type WithEffects } from '../../clients/effects.ts'
import { allClients } from '../../clients/open.ts'
import { readRequest } from '../../clients/read.ts'
import type { RunConfig, RunReport } from '../../runtime/js/protocol.ts'
import { plainSchedule } from '../../schedule/schedule.ts'
import { readPaths } from '../../symbolic/read-paths.ts'
import { openTrace } from '../../trace/open.ts'
import type {
  AlonePlan,
  ChildKind,
  Ended,
  EndedAlone,
  Program,
  ReadPlan,
  Recorded,
  Recording,
  RecordPlan,
  ReplayPlan,
  Run,
  Uncaught,
} from '../contract.ts'
import { nothingRecorded, recordedRunFailed } from '../errors.ts'
import { keepRecording } from '../recording.ts'
import { orNothing } from '../../base/or-nothing.ts'
import { threadPart } from '../workers/threads.ts'
import { childIsStuck, childrenConfig, childrenEnded, childRuns } from './children.ts'
import { runsTests, type Launch } from './launch.ts'
import { workedElsewhere } from './elsewhere.ts'
import { meetsOthers } from './outside.ts'
import { guideIn } from './guide.ts'
import { readReport, readWorkerReport } from './read-report.ts'
import { sitesOfAccesses } from './sites.ts'
import { REGISTER, startOf } from './start.ts'

export const NAME = 'node'

/** Of a program that had to be killed, and never came to its event loop. */
const DEAF =
  'its main thread did not answer. It waits in a call that does not return, such as Atomics.wait, or runs without coming back to its event loop.'

export class NodeProgram implements Program {
  readonly frontEnd = NAME
  readonly inspectable = true
  readonly runsTests: boolean

  /** `kinds`: of processes that it may start. */
  constructor(
    private readonly launch: Launch,
    private readonly kinds: readonly ChildKind[] = [],
  ) {
    this.runsTests = runsTests(launch)
  }

  async record(plan: RecordPlan): Promise<Recorded> {
    const { folder, cwd, timers, include, exclude, detail } = plan
    const config: RunConfig = {
      mode: 'record',
      trace: traceIn(folder),
      report: reportIn(folder),
      timers,
      root: cwd,
      include,
      exclude,
      detail,
      watch: plan.watch ?? [],
      clients: allClients(),
      ...(plan.patient ? { patient: true } : {}),
      ...(plan.branches ? { branches: plan.branches } : {}),
      ...childrenConfig(this.kinds, folder),
    }
    const ran = await runRecorded(startOf(this.launch, config, folder, cwd), plan)
    const { exit, stopped } = ran
    const report = readReport(config.report)
    if (!stopped && (exit.code !== (plan.expectExit ?? 0) || exit.signal))
      return {
        failed: recordedRunFailed(howItEnded(exit, report?.end?.uncaught?.message), plan.branches !== undefined),
        // Not if it never got to the event loop, and not if its input is gone.
        mayPass: (report?.turns ?? 0) > 0 && !hadInput(folder),
        kept: () => (exit.signal && orNothing(() => openTrace(config.trace).eventCount > 0) ? config.trace : undefined),
      }
    if (!existsSync(config.trace) || statSync(config.trace).size === 0)
      throw nothingRecorded(exit.signal ? `it was ended by ${exit.signal}` : '')
    const said = withWorkers(report ?? unsaid(exit.signal !== null), folder)
    const recording = keepRecording(plan, ran, {
      frontEnd: NAME,
      trace: config.trace,
      observed: {
        runtime: said.node === '' ? '' : `node ${said.node}`,
        modules: said.modules,
        skipped: said.skipped,
        skippedPercent: percentOf(said.text),
        alone: said.alone,
        told: said.told,
        events: said.events,
      },
      ...(stopped && exit.signal === 'SIGKILL' && (report?.turns ?? 0) < 2 ? { stuck: [DEAF] } : {}),
      notes: [...this.launch.notes, ...ran.notes, ...said.notes],
    })
    return { recording }
  }

  read(recording: Recording, plan: ReadPlan): Run {
    const { folder, trace, observed } = recording
    const { trace: loop, requests, unread } = openLoop(trace)
    const threads = threadPart(folder)
    const processes = childRuns(this.kinds, recording, plan)
    return {
      loop,
      ...(threads ? { threads } : {}),
      processes,
      ...(plan.branches ? { paths: readPaths(folder) } : {}),
      // One that was killed has not said how many.
      events: observed.events || loop.eventCount,
      seen: processes.flatMap(({ run }) => run.seen),
      meets: (own) => (processes.length > 0 && !(own.files && own.network)) || meetsOthers(loop, own),
      elsewhere: processes.length > 0 || threads ? undefined : workedElsewhere(loop, recording, plan.cwd),
      notes: [...unreadNote(requests, unread), ...(threads?.notes ?? []), ...processes.flatMap(({ run }) => run.notes)],
    }
  }

  async replay(plan: ReplayPlan): Promise<Ended> {
    const { folder, schedule, recording, cwd, inspect } = plan
    const config: RunConfig = {
      mode: 'replay',
      trace: traceIn(folder),
      report: reportIn(folder),
      timers: schedule.timers,
      root: cwd,
      include: recording.include,
      exclude: recording.exclude,
      detail: false,
      watch: plan.watch,
      clients: allClients(),
      memory: plan.memory,
      ...(plan.toDraw && plan.run?.loop ? { loud: sitesOfAccesses(plan.run.loop) } : {}),
      ...(plan.branches ? { branches: {} } : {}),
      ...(plan.tests ? { tests: plan.tests } : {}),
      ...childrenConfig(this.kinds, folder, plan),
      // What is for a process that it starts is nothing to the program itself.
      schedule: schedule.process === undefined ? schedule : plainSchedule(schedule),
      ...guideIn(folder, plan.run?.loop, recording.stopped === false && !plan.tests),
    }
    const reported = (): RunReport | undefined => readReport(config.report)
    const ended = await runAgain(
      startOf(
        { ...this.launch, inner: plan.tests?.inner ?? this.launch.inner ?? false },
        config,
        folder,
        cwd,
        inspect ? ['--inspect-brk'] : [],
      ),
      {
        ...plan,
        isStuck: () => {
          if (childIsStuck(this.kinds, folder)) return 'deaf'
          const report = existsSync(config.report) ? reported() : undefined
          // Threads that wait for each other do not hear a signal, and have said all they can.
          return report?.stuck ? (report.waiting === undefined ? 'stuck' : 'deaf') : undefined
        },
      },
    )
    const inside = childrenEnded(this.kinds, plan)
    const report = reported()
    const uncaught = report?.end?.uncaught
    return {
      ...ended,
      uncaught: uncaught && { kind: uncaught.kind, message: uncaught.message, stack: ofProgram(uncaught.stack) },
      waiting: report?.waiting ?? inside.waiting,
      notes: [...(report?.replay ?? []), ...inside.notes],
      steps: report?.threads ?? inside.steps,
      crash: inside.crash,
      loop: orNothing(() => openLoop(config.trace).trace),
      threads: inside.threads ?? (plan.toDraw && schedule.kind === 'steps' ? orNothing(() => threadPart(folder)) : undefined),
      paths: plan.branches ? readPaths(folder) : [],
      seen: inside.seen,
    }
  }

  alone(plan: AlonePlan): Promise<EndedAlone> {
    const { node, args, env, cwd = plan.cwd } = this.launch
    const start = { file: node, args, env: { ...process.env, ...env }, cwd }
    return runAgain(start, { ...plan, inspect: false, isStuck: () => undefined })
  }
}

/** The trace, with what requests of clients did. */
const openLoop = (path: string): WithEffects => withEffects(openTrace(path), allClients(), readRequest)

const unreadNote = (requests: number, unread: number): string[] =>
  unread === 0 ? [] : [`${unread} of ${requests} requests to servers could not be read: each is taken to touch the whole database.`]

const traceIn = (folder: string): string => join(folder, 'trace.heddle')
const reportIn = (folder: string): string => join(folder, 'report.json')

/** There is no report. */
const unsaid = (killed: boolean): RunReport => ({
  node: '',
  modules: [],
  skipped: [],
  notes: [
    killed
      ? 'The program was killed before it could say how it ended.'
      : 'The program could not write how it ended, and perhaps not all that it did. Is the disk full?',
  ],
  events: 0,
  turns: 0,
})

/** Adds what the workers say of the modules they loaded. */
function withWorkers(report: RunReport, folder: string): RunReport {
  const place = join(folder, 'threads')
  const workers = (existsSync(place) ? readdirSync(place) : [])
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => readWorkerReport(join(place, file)) ?? [])
  const all = [report, ...workers]
  return {
    ...report,
    modules: [...new Set(all.flatMap((one) => one.modules))],
    skipped: [...new Map(all.flatMap((one) => one.skipped).map((one) => [one.file, one])).values()],
    text: {
      observed: all.reduce((sum, one) => sum + (one.text?.observed ?? 0), 0),
      skipped: all.reduce((sum, one) => sum + (one.text?.skipped ?? 0), 0),
    },
    notes: [...new Set(all.flatMap((one) => one.notes))],
  }
}

/** Of the text of all modules: that of those that were not observed. */
function percentOf(text: RunReport['text']): number | undefined {
  if (text === undefined || text.skipped === 0) return undefined
  return Math.round((100 * text.skipped) / (text.observed + text.skipped))
}

const OURS = [new URL('../', REGISTER)].flatMap((dist) => [dist.href, fileURLToPath(dist)])

/** The frames that are not Node's, and not ours. */
export const ofProgram = (stack: string): Uncaught['stack'] =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') && !/\bnode:/.test(line) && !OURS.some((ours) => line.includes(ours)))
