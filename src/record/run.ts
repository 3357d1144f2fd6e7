/** Records one run of the user's program: the runtime is put into its Node, everything else stays as it is. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nativeFolder } from '../native/config-file.ts'
import { readResult } from '../native/result.ts'
import { nativeWith } from '../native/start.ts'
import { Symbols } from '../native/symbols.ts'
import { withFlags } from '../runtime/js/flags.ts'
import { RUN_VARIABLE, type RunConfig, type RunReport, type Timers, type Watch, type WorkerReport } from '../runtime/js/protocol.ts'
import type { Launch } from './command.ts'
import { nothingRecorded, recordedRunFailed, runtimeMissing } from './errors.ts'
import { Group, type Exit } from './group.ts'
import { kindOf, teeInput, type StreamKind } from './stdio.ts'
import { readJson, writeJson } from './store.ts'
import { threadsTrace } from './threads.ts'

const PATIENCE_MS = 5000
/** Programs run the built runtime, also when Heddle itself runs from its sources (in tests). */
export const REGISTER = new URL(`${import.meta.url.endsWith('.ts') ? '../../dist' : '..'}/runtime/js/register.js`, import.meta.url)

export interface RecordOptions {
  readonly launch: Launch
  readonly command: readonly string[]
  readonly cwd: string
  /** The folder of the run. */
  readonly folder: string
  readonly timers: Timers
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly detail: boolean
  /** Also paths: docs/branches.md. */
  readonly branches?: RunConfig['branches'] | undefined
  /** Calls to record, for properties. */
  readonly watch?: readonly Watch[]
  /** The program's standard output goes to standard error: the other one is for JSON. */
  readonly outputToError: boolean
  /** It gets no input, and what it prints goes nowhere. */
  readonly quiet?: boolean
  /** Stops the program: what was recorded until then is used. */
  readonly stop: AbortSignal
  /** The same after so many milliseconds. */
  readonly limitMs: number | undefined
}

/** One recorded run. Stored as recording.json. */
export interface Recording {
  readonly command: readonly string[]
  readonly folder: string
  /** Of a native program all threads in one, once they are joined. */
  readonly trace: string
  readonly native?: boolean
  readonly timers: Timers
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly ms: number
  /** It did not end by itself. */
  readonly stopped: boolean
  readonly stdio: readonly [StreamKind, StreamKind, StreamKind]
  /** The file with what it was given on standard input, when that was no terminal. */
  readonly input: string | undefined
  readonly report: RunReport
  readonly notes: readonly string[]
}

export async function record(options: RecordOptions): Promise<Recording> {
  const { launch, folder, cwd, timers, include, exclude, detail } = options
  const config: RunConfig = {
    mode: 'record',
    trace: join(folder, 'trace.heddle'),
    report: reportOf(folder),
    timers,
    root: cwd,
    include,
    exclude,
    detail,
    watch: options.watch ?? [],
    ...(options.branches ? { branches: options.branches } : {}),
  }
  const quiet = options.quiet === true
  const stdio = quiet ? (['quiet', 'quiet', 'quiet'] as const) : ([kindOf(0), kindOf(options.outputToError ? 2 : 1), kindOf(2)] as const)
  const tees = stdio[0] === 'pipe' || stdio[0] === 'file'
  const start = launch.native
    ? nativeWith(launch, launch.native, { mode: 'record', poison: false }, folder, cwd)
    : nodeWith(launch, config, folder, cwd)
  const group = new Group({
    ...start,
    stdio: quiet ? 'ignore' : [tees ? 'pipe' : 'inherit', options.outputToError ? 2 : 'inherit', 'inherit'],
  })
  const input = inputOf(folder)
  const untee = tees ? teeInput(group, input) : undefined

  let stopped = false
  const stop = (): void => {
    stopped = true
    group.stop(PATIENCE_MS)
  }
  options.stop.addEventListener('abort', stop)
  const limit = options.limitMs === undefined ? undefined : setTimeout(stop, options.limitMs)
  let exit: Exit
  let wholeInput = true
  try {
    exit = await group.ended
  } finally {
    clearTimeout(limit)
    options.stop.removeEventListener('abort', stop)
    wholeInput = untee?.() ?? true
    if (stopped) group.clear()
    else group.release()
  }
  const report = launch.native ? nativeReport(folder, launch.native.path, cwd) : (readJson(config.report) as RunReport | undefined)
  if (!stopped && (exit.code !== 0 || exit.signal)) throw recordedRunFailed(howItEnded(exit, report), options.branches !== undefined)
  if (launch.native ? report === undefined : !existsSync(config.trace) || statSync(config.trace).size === 0)
    throw nothingRecorded(exit.signal ? `it was ended by ${exit.signal}` : '')
  const recording: Recording = {
    command: options.command,
    folder,
    trace: launch.native ? threadsTrace(folder) : config.trace,
    ...(launch.native ? { native: true } : {}),
    timers,
    include,
    exclude,
    ms: Math.round(exit.ms),
    stopped,
    stdio,
    input: tees ? input : undefined,
    report: launch.native ? report! : withWorkers(report ?? KILLED, folder),
    notes: [
      ...launch.notes,
      ...(wholeInput ? [] : ['The program read more than 16 MB of input; replays get the first 16 MB.']),
      ...(stopped ? ['The recorded run was stopped before it ended; what was recorded until then is looked at.'] : []),
    ],
  }
  writeJson(join(folder, 'recording.json'), recording)
  return recording
}

const KILLED: RunReport = {
  node: '',
  modules: [],
  skipped: [],
  notes: ['The program was killed before it could say how it ended.'],
  events: 0,
  turns: 0,
}

/** Undefined when the runtime was not there at all. */
function nativeReport(folder: string, program: string, root: string): RunReport | undefined {
  const { started, notes, code, crash } = readResult(nativeFolder(folder))
  if (!started) return undefined
  const head = { node: '', modules: [program], skipped: [], notes, events: 0, turns: 0 }
  if (code !== undefined) return { ...head, end: { code, turn: 0 } }
  if (!crash) return head
  const symbols = Symbols.open(nativeFolder(folder), root)
  symbols.load(crash.stack)
  const stack = crash.stack.flatMap((pc) => symbols.frames(pc))
  // The first frames of an abort are the library's.
  const place = stack.find((frame) => !/^(\.\/|\/usr\/|\/lib)/.test(frame) && /:\d/.test(frame)) ?? stack[0] ?? 'an unknown place'
  return {
    ...head,
    end: { code: 0, turn: 0, uncaught: { kind: 'exception', message: `${crash.thread} at ${place}`, stack: stack.join('\n') } },
  }
}

/** Adds what the workers say of the modules they loaded. */
function withWorkers(report: RunReport, folder: string): RunReport {
  const place = join(folder, 'threads')
  const workers = (existsSync(place) ? readdirSync(place) : [])
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => (readJson(join(place, file)) as WorkerReport | undefined) ?? [])
  const all = [report, ...workers]
  return {
    ...report,
    modules: [...new Set(all.flatMap((one) => one.modules))],
    skipped: [...new Map(all.flatMap((one) => one.skipped).map((one) => [one.file, one])).values()],
    notes: [...new Set(all.flatMap((one) => one.notes))],
  }
}

const reportOf = (folder: string): string => join(folder, 'report.json')
const inputOf = (folder: string): string => join(folder, 'stdin')

/** May a run that failed pass the next time? Not if it never got to the event loop, and not if its input on standard input is gone. */
export function worthAnother(folder: string): boolean {
  const report = readJson(reportOf(folder)) as RunReport | undefined
  const ran = (report?.turns ?? 0) > 1 || existsSync(nativeFolder(folder))
  return ran && (statSync(inputOf(folder), { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** The user's Node with the runtime in front. The config travels in a file, its name in the environment. */
export function nodeWith(launch: Launch, config: RunConfig, folder: string, cwd: string, flags: readonly string[] = []) {
  const register = fileURLToPath(REGISTER)
  if (!existsSync(register)) throw runtimeMissing(register)
  const path = join(folder, `${config.mode}.json`)
  writeJson(path, config)
  return {
    file: launch.node,
    args: launch.inner ? [...flags, ...launch.args] : withFlags([...flags, ...launch.args], ['--import', REGISTER.href]),
    env: { ...process.env, ...launch.env, [RUN_VARIABLE]: path },
    cwd: launch.cwd ?? cwd,
  }
}

/** Half a sentence. */
export function howItEnded({ code, signal }: Pick<Exit, 'code' | 'signal'>, report: RunReport | undefined): string {
  const uncaught = report?.end?.uncaught
  const why = uncaught ? ` (${uncaught.message.split('\n')[0]})` : ''
  return signal ? `it was ended by ${signal}${why}` : `exit code ${code}${why}`
}
