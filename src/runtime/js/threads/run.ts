/**
 * Starts the runtime of threads in one thread: it records steps, or takes them in the order of a schedule. A replay of one event loop needs none of
 * it.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as core from '../core.ts'
import { siteText } from '../memory/names.ts'
import type { RunConfig, RunReport, WorkerReport } from '../protocol.ts'
import { replaceAtomics } from './atomics.ts'
import { notes, watchBuffers } from './buffers.ts'
import { RUNS, setStatus, useStripes } from './control.ts'
import { threadsReport, Turns } from './gate.ts'
import { watchMessages } from './messages.ts'
import { replaceRanges } from './ranges.ts'
import { setGate, startSteps, stream } from './steps.ts'
import { Stream } from './stream.ts'
import { setPastime } from './waits.ts'
import type { Start } from './start.ts'
import { beginWorker, watchWorkers } from './workers.ts'

const LOOK_EVERY_MS = 20

/** Are threads recorded, or put in order? */
export const watchesThreads = ({ mode, schedule, tests }: RunConfig): boolean =>
  tests === undefined && (mode === 'record' || schedule?.kind === 'steps')

export interface ThreadPlan {
  readonly config: RunConfig
  readonly configPath: string
  /** The flags that load the runtime. */
  readonly flags: readonly string[]
  readonly task: { readonly name: string; readonly id: number }
  /** Called in the thread that finds that nothing can run any more. */
  onStuck(): void
  /** Workers: what they were told, and what to do when all is over. */
  readonly worker?: { readonly start: Start; ended(): void }
}

let turns: Turns | undefined

/** Call after core, control and names are there, and before the program's first line. */
export function startThread({ config, configPath, flags, task, onStuck, worker }: ThreadPlan): void {
  // A replay that is to be drawn is recorded, too.
  const records = config.mode === 'record' || config.memory === true
  const into = records ? new Stream(fileOf(config, task.name, 'heddle'), task.name, config.root) : undefined
  if (config.stripes !== undefined) useStripes(config.stripes)
  startSteps(task, into)
  setStatus(task.id, RUNS)
  if (into !== undefined) core.onRest((rests) => rests && into.rested())
  if (config.schedule?.kind === 'steps') {
    const { steps, sleeps, lastFirst = false, goesOn = false } = config.schedule
    turns = new Turns({ lines: steps, sleeps: sleeps ?? [], lastFirst, goesOn, siteText, onStuck })
    setGate(turns)
    setPastime(turns)
    core.onRest((rests) => turns!.rests(rests))
    core.unseen(() => setInterval(() => turns!.look(), LOOK_EVERY_MS).unref())
  }
  replaceAtomics()
  replaceRanges()
  watchBuffers()
  watchMessages()
  const settings = { config: configPath, flags }
  if (worker !== undefined) beginWorker(worker.start, () => worker.ended())
  watchWorkers(settings)
}

export function endThread(): void {
  stream?.finish()
  turns?.ended()
}

/** Sentences for the user. */
export const threadNotes = (): string[] => [...notes, ...(stream?.problem?.startsWith('Recording') ? [stream.problem] : [])]

export const progress = (config: RunConfig): Pick<RunReport, 'threads' | 'waiting' | 'stuck'> =>
  config.schedule?.kind === 'steps' ? threadsReport(config.schedule.steps.length) : {}

export function writeWorkerReport(config: RunConfig, name: string, report: WorkerReport): void {
  if (config.mode !== 'record') return
  try {
    core.unseen(() => writeFileSync(fileOf(config, name, 'json'), JSON.stringify(report)))
  } catch {
    // Its folder may not be there: it has shared nothing.
  }
}

const fileOf = (config: RunConfig, name: string, type: string): string => join(dirname(config.trace), 'threads', `${name}.${type}`)
