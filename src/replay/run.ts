/** Re-executes the program under a schedule, in a fresh process with a watchdog. What comes back is raw: outcome.ts says what it means. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch } from '../record/command.ts'
import { Group, type Exit } from '../record/group.ts'
import { nodeWith, type Recording } from '../record/run.ts'
import { Tail, TailFile, type StreamKind } from '../record/stdio.ts'
import { readJson } from '../record/store.ts'
import { joinNative } from '../record/native.ts'
import { nativeWith } from '../native/start.ts'
import { joinThreads, type Joined } from '../record/threads.ts'
import { LoopRun } from '../causal/loop/run.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Declaration } from '../property/ast.ts'
import { needsMemory, watchesOf } from '../property/watch.ts'
import type { Picture } from '../picture/picture.ts'
import type { RunConfig, RunReport, Schedule } from '../runtime/js/protocol.ts'
import { openTrace } from '../trace/open.ts'
import type { Trace } from '../trace/trace.ts'
import { readPaths } from '../symbolic/read-paths.ts'
import { flipsOf, type Flip, type RecordedPaths } from './branches.ts'
import { isDeadlocked, nativeConfig, nativeEnd } from './native.ts'
import type { Saved } from './saved.ts'
import { violationsOf, type SeenViolation } from './violations.ts'

const LOOK_EVERY_MS = 100
/** How long a program that is being stopped may take. */
const PATIENCE_MS = 1000
/** How long output may still come after the end. */
const LAST_WORDS_MS = 500

/** What every replay of a recording has in common. */
export interface Rerun {
  readonly launch: Launch
  readonly recording: Pick<Recording, 'command' | 'timers' | 'include' | 'exclude' | 'stdio' | 'input' | 'stopped' | 'ms'>
  readonly cwd: string
  /** Where the folders of the replays go. */
  readonly folder: string
  readonly watchdogMs: number
  /** What is watched in every replay. */
  readonly properties?: readonly Declaration[]
  /** Typestates whose objects the recorded run showed from their begin. */
  readonly fromBegin?: ReadonlySet<string>
  /** Branches of every replay are compared with these. */
  readonly paths?: RecordedPaths | undefined
  /** The run of a test, by its runner. */
  readonly tests?: RunConfig['tests']
  /** Of a native program: the addresses of its places (src/native/read-run.ts). */
  readonly pcs?: ReadonlyMap<string, readonly string[]> | undefined
  readonly signal?: AbortSignal
  /** Each time one begins. */
  readonly onBegin?: () => void
  /** Draws what failed. */
  readonly pictures?: Draws | undefined
  /** Node's debugger waits at the first line, and the program has the terminal. */
  readonly inspect?: boolean
}

/** Makes the picture of a finding from what is known of the run that failed (src/picture). */
export interface Draws {
  of(
    prediction: Pick<Saved, 'observed' | 'failing' | 'schedule'>,
    failed: Pick<ReplayRun, 'trace' | 'joined'> | undefined,
  ): Picture | undefined
}

export interface ReplayRun {
  readonly exit: Exit
  readonly report: RunReport | undefined
  /** Absent when nothing readable was written. */
  readonly trace: Trace | undefined
  /** Of threads, if they were to be drawn. */
  readonly joined?: Joined | undefined
  /** Of a native program that crashed: which thread, and where, innermost first. */
  readonly crash?: { readonly thread: string; readonly stack: readonly string[] } | undefined
  /** What it violates. */
  readonly violations: readonly SeenViolation[]
  /** Branches that it took the other way. */
  readonly flips: readonly Flip[]
  /** The watchdog ended it, or the program can do nothing more and does not end, or Heddle was told to stop. */
  readonly stopped: 'watchdog' | 'stuck' | 'interrupted' | undefined
  /** The last 64 KB of both streams. */
  readonly stdout: string
  readonly stderr: string
}

let count = 0

/** `toDraw`: record what a picture needs, memory and steps of threads, which costs time. */
export async function replay(rerun: Rerun, schedule: Schedule, toDraw = false): Promise<ReplayRun> {
  const { launch, recording, cwd, properties = [] } = rerun
  rerun.onBegin?.()
  const folder = join(rerun.folder, `replay-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  const config: RunConfig = {
    mode: 'replay',
    trace: join(folder, 'trace.heddle'),
    report: join(folder, 'report.json'),
    timers: schedule.timers,
    root: cwd,
    include: recording.include,
    exclude: recording.exclude,
    detail: false,
    watch: watchesOf(properties),
    memory: toDraw || needsMemory(properties),
    ...(rerun.paths ? { branches: {} } : {}),
    ...(rerun.tests ? { tests: rerun.tests } : {}),
    schedule,
  }
  const input = inputOf(recording)
  const { inspect = false } = rerun
  const out = new Capture(inspect ? 'terminal' : recording.stdio[1], join(folder, 'stdout'))
  const err = new Capture(inspect ? 'terminal' : recording.stdio[2], join(folder, 'stderr'))
  const start = launch.native
    ? nativeWith(launch, launch.native, nativeConfig(schedule, toDraw, rerun.pcs ?? new Map()), folder, cwd)
    : nodeWith(launch, config, folder, cwd, inspect ? ['--inspect-brk'] : [])
  const group = new Group({
    ...start,
    stdio: inspect ? 'inherit' : [input === undefined ? 'ignore' : 'pipe', out.stdio, err.stdio],
  })
  out.listen(group.child.stdout)
  err.listen(group.child.stderr)
  group.child.stdin?.on('error', () => {}) // it may end without reading
  group.child.stdin?.end(input)

  let stopped: ReplayRun['stopped']
  const stop = (why: typeof stopped, patience = PATIENCE_MS): void => {
    stopped ??= why
    group.stop(patience)
  }
  const watchdog = setTimeout(() => stop('watchdog'), rerun.watchdogMs)
  const look = setInterval(() => {
    out.limit()
    err.limit()
    if (launch.native && isDeadlocked(folder)) stop('stuck', 0)
    if (!existsSync(config.report)) return
    const report = readJson(config.report) as RunReport | undefined
    // Threads that wait for each other do not hear a signal, and have said all they can.
    if (report?.stuck) stop('stuck', report.waiting === undefined ? PATIENCE_MS : 0)
  }, LOOK_EVERY_MS)
  const interrupted = (): void => stop('interrupted')
  rerun.signal?.addEventListener('abort', interrupted)
  try {
    const exit = await group.ended
    group.clear()
    await Promise.race([Promise.all([out.closed, err.closed]), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())])
    if (launch.native) {
      const joined = toDraw ? nativeJoined(folder, cwd) : undefined
      const end = nativeEnd(folder, cwd, schedule)
      return { exit, trace: undefined, joined, flips: [], stopped, stdout: out.text(), stderr: err.text(), ...end }
    }
    const report = readJson(config.report) as RunReport | undefined
    const trace = traceOf(config.trace)
    const violations = trace && properties.length > 0 ? violationsOf(new LoopRun(new LoopView(trace)), properties, rerun.fromBegin) : []
    const flips = rerun.paths ? flipsOf(rerun.paths, readPaths(folder)) : []
    const joined = toDraw && schedule.steps !== undefined ? joinedOf(folder) : undefined
    return { exit, report, trace, joined, violations, flips, stopped, stdout: out.text(), stderr: err.text() }
  } finally {
    group.clear()
    clearTimeout(watchdog)
    clearInterval(look)
    rerun.signal?.removeEventListener('abort', interrupted)
    if (process.env['HEDDLE_DEBUG'] !== '1') rmSync(folder, { recursive: true, force: true })
  }
}

function inputOf({ input }: Rerun['recording']): Buffer | undefined {
  try {
    return input === undefined ? undefined : readFileSync(input)
  } catch {
    return undefined // the run has been tidied away
  }
}

function traceOf(path: string): Trace | undefined {
  try {
    return openTrace(path)
  } catch {
    return undefined
  }
}

function nativeJoined(folder: string, root: string): Joined | undefined {
  try {
    return joinNative(folder, root)
  } catch {
    return undefined
  }
}

function joinedOf(folder: string): Joined | undefined {
  try {
    return joinThreads(folder)
  } catch {
    return undefined
  }
}

/** One output stream, of the kind the recorded run had. */
class Capture {
  readonly stdio: 'pipe' | number
  closed: Promise<void> = Promise.resolve()
  private readonly tail = new Tail()
  private readonly file: TailFile | undefined

  constructor(kind: StreamKind, path: string) {
    if (kind === 'file' || kind === 'quiet') this.file = new TailFile(path)
    this.stdio = this.file?.fd ?? 'pipe'
  }

  listen(stream: NodeJS.ReadableStream | null): void {
    if (!stream) return
    stream.on('data', (piece: Buffer) => this.tail.add(piece))
    this.closed = new Promise((resolve) => stream.once('close', resolve))
  }

  limit(): void {
    this.file?.limit()
  }

  text(): string {
    return this.file ? this.file.text() : this.tail.text()
  }
}
