/** A check whose replays are made by workers: what `heddle check --queue` and `--resume` add to a check. */
import { hostname } from 'node:os'
import type { Makes } from '../confirm/run.ts'
import type { Connection } from '../explore/queue/connection.ts'
import { badRun, noSuchRun } from '../explore/queue/errors.ts'
import { hashOf } from '../explore/queue/item.ts'
import { JetStreamQueue, Runs } from '../explore/queue/jetstream.ts'
import { BadPack, packed, unpacked, writeFiles } from '../explore/queue/pack.ts'
import { FarReplays } from '../explore/queue/replays.ts'
import type { Result } from '../explore/queue/work.ts'
import type { Program, Recording } from '../frontends/contract.ts'
import type { Store } from '../store/store.ts'
import { fitOf, type Fit } from './fit.ts'
import { Follow } from './follow.ts'
import { newRun, readRecord, RECORD_VERSION, type RunRecord } from './record.ts'
import { NOT_RECORDED, recordingIn } from './replay-item.ts'

/** Replays that are wanted at the same time, where nobody says how many: for as many workers. */
const USUAL_AT_ONCE = 16

export interface CheckRunPlan {
  readonly command: readonly string[]
  readonly cwd: string
  readonly options: readonly string[]
  readonly atOnce?: number | undefined
  readonly silenceMs?: number | undefined
}

export class CheckRun {
  private queue: JetStreamQueue | undefined
  private far: FarReplays | undefined
  follow: Follow

  private constructor(
    private readonly connection: Connection,
    private readonly runs: Runs,
    public run: string,
    private readonly plan: CheckRunPlan,
    private readonly fit: Fit,
    private readonly resumed: RunRecord | undefined,
  ) {
    this.follow = new Follow(connection, run)
  }

  /** Before the recorded run, which may change files. */
  static async begin(connection: Connection, plan: CheckRunPlan): Promise<CheckRun> {
    const runs = await Runs.open(connection)
    await Runs.sweep(connection)
    return new CheckRun(connection, runs, newRun(), plan, fitOf(plan.command, plan.cwd), undefined)
  }

  /** `plan.command`: left empty, that of the run. */
  static async resume(connection: Connection, run: string, plan: CheckRunPlan): Promise<CheckRun> {
    const runs = await Runs.open(connection)
    const record = await recordOf(runs, run)
    if (record.kind !== 'check') throw badRun(run, 'it is a run of tests')
    return new CheckRun(connection, runs, run, plan, record.fit, record)
  }

  get record(): RunRecord | undefined {
    return this.resumed
  }

  /** Of a resumed run: its recorded run, in a folder of this store. */
  async recording(store: Store): Promise<Recording> {
    const record = this.resumed as Extract<RunRecord, { kind: 'check' }>
    const queue = await this.opened()
    const object = await queue.load(record.recording)
    if (object === undefined) throw badRun(this.run, 'its recording is not in the store')
    const folder = store.newRun()
    try {
      writeFiles(folder, await unpacked(object))
      return await recordingIn(folder, record)
    } catch (error) {
      throw error instanceof BadPack ? badRun(this.run, error.message) : error
    }
  }

  /** For the check: after the recorded run. */
  readonly makes = async (program: Program, recording: Recording): Promise<Makes> => {
    const { command, cwd, options, atOnce = USUAL_AT_ONCE } = this.plan
    // A recorded run that failed is followed by one that passes: that is another run.
    if (this.far && !this.resumed) await this.startOver()
    const queue = await this.opened()
    if (!this.resumed) {
      const pack = await packed(recording.folder, {}, NOT_RECORDED)
      const name = hashOf(pack)
      await queue.store(name, pack)
      const record: RunRecord = {
        heddle: RECORD_VERSION,
        kind: 'check',
        run: this.run,
        command,
        fit: this.fit,
        root: cwd,
        host: hostname(),
        started: new Date().toISOString(),
        recording: name,
        options,
      }
      await this.runs.put(this.run, record)
    }
    const { follow } = this
    follow.begin()
    const followed = {
      onResult: (result: Result): void => follow.onResult(result),
      onClass: (): unknown => follow.classes++,
      said: follow.said,
    }
    this.far = new FarReplays(queue, program, cwd, atOnce, followed, this.resumed !== undefined)
    return this.far
  }

  private async startOver(): Promise<void> {
    await this.end(false)
    this.queue = undefined
    this.run = newRun()
    this.follow = new Follow(this.connection, this.run)
  }

  /** Items that nobody could make. */
  get dead(): number {
    return this.far?.dead.length ?? 0
  }

  /** `keep`: it will be resumed. */
  async end(keep: boolean): Promise<void> {
    this.follow.close()
    if (keep) this.queue?.close()
    else {
      await this.runs.remove(this.run)
      await this.queue?.remove()
    }
  }

  private async opened(): Promise<JetStreamQueue> {
    if (this.queue) return this.queue
    if (this.resumed) {
      this.queue = await JetStreamQueue.join(this.connection, this.run)
      if (!this.queue) throw noSuchRun(this.run)
    } else this.queue = await JetStreamQueue.open(this.connection, this.run, this.plan.silenceMs)
    return this.queue
  }
}

export async function recordOf(runs: Runs, run: string): Promise<RunRecord> {
  const json = /^[a-z0-9]{6,40}$/.test(run) ? await runs.get(run) : undefined
  if (json === undefined) throw noSuchRun(run)
  return readRecord(run, json)
}
