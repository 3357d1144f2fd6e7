/** Replays of a recorded run that is on the queue: the recording is downloaded once, the program is the worker's own copy. */
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { BadPack, packed, unpacked, writeFiles } from '../explore/queue/pack.ts'
import { hashOf, type Item } from '../explore/queue/item.ts'
import { readPlan, saidOf } from '../explore/queue/plan.ts'
import type { Queue } from '../explore/queue/queue.ts'
import { NotHere } from '../explore/queue/work.ts'
import { recognise } from '../frontends/command.ts'
import type { AlonePlan, EndedAlone, FrontEnd, Program, Recording, ReplayPlan, Run } from '../frontends/contract.ts'
import { readRecordingIn, writeRecording } from '../frontends/recording.ts'
import { HeddleError } from '../errors.ts'
import { Isolation, type Isolate } from '../isolate/isolation.ts'
import { withHooks, type Hooks } from '../process/hooks.ts'
import { Store } from '../store/store.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { RunRecord } from './record.ts'

/** What a worker's own command line says. */
export interface WorkerSettings {
  readonly cwd: string
  readonly frontEnds: readonly FrontEnd[]
  readonly isolate?: readonly Isolate[] | undefined
  readonly hooks: Hooks
}

/** Of a replay's folder, what the one who asked does not read: it makes these itself. */
const NOT_SENT = new Set(['view', 'view-failed', 'replay.json', 'guide.txt', 'stdout', 'stderr', 'stdin'])
/** Of a recorded run's. */
export const NOT_RECORDED = (name: string): boolean => name === 'files' || name.startsWith('replay-') || name.startsWith('.')

/** Bytes. */
const LEAST_FREE = 1 << 20

let count = 0

export class ReplayWork {
  private readonly program: Program
  private readonly isolation: Isolation

  private constructor(
    private readonly queue: Queue,
    private readonly settings: WorkerSettings,
    private readonly recording: Recording,
    private readonly run: Run,
    private readonly record: RunRecord,
  ) {
    const { cwd, frontEnds, isolate } = settings
    this.program = recognise(record.command, cwd, frontEnds)
    this.isolation = new Isolation(isolate, cwd)
  }

  /** The command of the record was allowed. */
  static async open(queue: Queue, record: Extract<RunRecord, { kind: 'check' }>, settings: WorkerSettings): Promise<ReplayWork> {
    const object = await queue.load(record.recording)
    if (object === undefined) throw new BadPack('its recording is not in the store')
    const folder = Store.open(settings.cwd).newRun()
    try {
      writeFiles(folder, await unpacked(object))
      const recording = await recordingIn(folder, record)
      const program = recognise(record.command, settings.cwd, settings.frontEnds)
      const run = program.read(recording, { cwd: settings.cwd, branches: false })
      return new ReplayWork(queue, settings, recording, run, record)
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** The name of the object with what came of it. */
  async make(item: Extract<Item, { kind: 'replay' }>, signal: AbortSignal): Promise<string> {
    const bytes = await this.queue.load(item.plan)
    if (bytes === undefined || hashOf(bytes) !== item.plan) throw new NotHere('its plan is not in the store', true)
    const plan = readPlan(bytes)
    if ('wrong' in plan) throw new NotHere(`its plan cannot be used: ${plan.wrong}`, true)
    const folder = join(this.recording.folder, `replay-${process.pid}-${++count}`)
    try {
      if (isFull(this.recording.folder)) throw new NotHere('the disk is full here')
      makeFolder(folder)
      const ended = await this.within(folder, signal, (within) => {
        const common: AlonePlan = { recording: this.recording, cwd: this.settings.cwd, folder, watchdogMs: item.watchdogMs, signal, within }
        if (plan.kind === 'alone') return this.program.alone?.(common) ?? this.cannot()
        const { kind: _, ...rest } = plan
        return this.program.replay({ ...rest, ...common, run: this.run, inspect: false } satisfies ReplayPlan)
      })
      if (ended.stopped === 'interrupted') throw new NotHere('this worker was stopped')
      if (isFull(folder)) throw new NotHere('the disk is full here')
      const { exit, stopped, stdout, stderr } = ended
      const pack = await packed(folder, saidOf({ exit, stopped, stdout, stderr, root: this.settings.cwd }), (name) => NOT_SENT.has(name))
      const name = `result-${hashOf(pack)}`
      await this.queue.store(name, pack)
      return name
    } catch (error) {
      throw isOurs(error) ? new NotHere(whyOf(error)) : error
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  close(): void {
    this.isolation.end()
    rmSync(this.recording.folder, { recursive: true, force: true })
  }

  private async within(
    folder: string,
    signal: AbortSignal,
    run: (within: ReplayPlan['within']) => Promise<EndedAlone>,
  ): Promise<EndedAlone> {
    const { hooks, cwd } = this.settings
    const view = this.isolation.view(folder, [this.recording.folder])
    this.isolation.start()
    const made = (): Promise<EndedAlone> => withHooks(hooks, cwd, () => run(view?.within))
    const meets = hooks.beforeEach !== undefined || hooks.afterEach !== undefined || this.run.meets(this.isolation)
    const ended = await (meets ? oneAtATime(this.record.fit.program, signal, made) : made())
    view?.check()
    return ended
  }

  private cannot(): never {
    throw new NotHere('this kind of program is never run without Heddle', true)
  }
}

/** Where it lies now, with the command that was allowed. */
export async function recordingIn(folder: string, record: RunRecord): Promise<Recording> {
  const recording = readRecordingIn(folder)
  if (!recording) throw new BadPack('there is no recording in it')
  const here = { ...recording, command: record.command }
  writeRecording(here)
  return here
}

/** What a run could not write is missing in its trace, and nobody would know. */
export function isFull(folder: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(folder)
  return bavail * bsize < LEAST_FREE || (files > 0 && ffree === 0)
}

/** The disk is full, the program cannot be started here, a view cannot be made: another worker may be able to. */
export const isOurs = (error: unknown): boolean =>
  error instanceof HeddleError || typeof (error as NodeJS.ErrnoException | undefined)?.code === 'string'

export const whyOf = (error: unknown): string => (error instanceof HeddleError ? error.fact : String((error as Error).message))
