/** `heddle worker`: takes runs from the queue that fit this machine and does their work, until it is stopped. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { HeddleError } from '../errors.ts'
import type { Connection } from '../explore/queue/connection.ts'
import { SERVER_LOST } from '../explore/queue/errors.ts'
import type { Item } from '../explore/queue/item.ts'
import { aliveOf, JetStreamQueue, RunGone, Runs } from '../explore/queue/jetstream.ts'
import { NotHere, workOnce, type Worker } from '../explore/queue/work.ts'
import { isKnownCommand } from '../store/own-commands.ts'
import { isAllowed } from './allow.ts'
import { fitOf, misfits } from './fit.ts'
import { readRecord, type RunRecord } from './record.ts'
import { ReplayWork, type WorkerSettings } from './replay-item.ts'
import { TestWork } from './test-item.ts'

export interface FarmSettings extends WorkerSettings {
  readonly allow: readonly string[]
  /** Items at the same time. */
  readonly atOnce: number
  /** Ends when there was nothing to do for so long. */
  readonly idleMs?: number | undefined
}

const LOOK_MS = 1000
const ALIVE_MS = 2000
const LONGEST_REST_MS = 30_000

interface Joined {
  readonly queue: JetStreamQueue
  readonly work: ReplayWork | TestWork
  readonly alive: NodeJS.Timeout
}

export class Farm {
  /** Items that were made here. */
  made = 0
  private readonly name = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  private readonly joined = new Map<string, Joined>()
  /** Runs that do not fit, and were said to. */
  private readonly refused = new Set<string>()
  private lastWork = performance.now()
  private busy = 0

  constructor(
    private readonly connection: Connection,
    private readonly settings: FarmSettings,
    private readonly say: (sentence: string) => void,
  ) {}

  async serve(signal: AbortSignal): Promise<void> {
    const runs = await Runs.open(this.connection)
    const loops = Array.from({ length: this.settings.atOnce }, () => this.loop(signal))
    try {
      while (!signal.aborted && !this.isIdle()) {
        await this.look(runs).catch((error: unknown) => this.waitsFor(error))
        await this.connection.pause(LOOK_MS)
      }
    } finally {
      this.isOver = true
      await Promise.all(loops)
      for (const run of this.joined.keys()) this.leave(run)
    }
  }

  private isOver = false

  /** Who has just given something back would be the first to get it, and the next ones, too: others come first. */
  private restMs = 0
  private restUntil = 0

  /** The server is away for longer than one tries: a worker waits for it for ever. */
  private waitsFor(error: unknown): void {
    if (this.connection.isClosed) throw error
    this.say(`The server does not answer: ${error instanceof Error ? error.message : String(error)}. Still waiting.`)
  }

  private isIdle(): boolean {
    const { idleMs } = this.settings
    return idleMs !== undefined && this.busy === 0 && performance.now() - this.lastWork > idleMs
  }

  private async look(runs: Runs): Promise<void> {
    const names = await runs.all()
    for (const run of names) {
      if (this.joined.has(run) || this.refused.has(run)) continue
      try {
        const json = await runs.get(run)
        if (json !== undefined) await this.join(readRecord(run, json))
      } catch (error) {
        if (this.connection.isClosed) throw error
        if (error instanceof HeddleError && error.code === SERVER_LOST) throw error
        if (isDisk(error)) this.sayOnce(`Run ${run} cannot be begun here now: ${error.message}.`)
        // Whatever is wrong with it, other runs go on.
        else if (!(error instanceof RunGone)) this.refuse(run, error instanceof Error ? error.message : String(error))
      }
    }
    for (const run of this.joined.keys()) if (!names.includes(run) && this.busy === 0) this.leave(run)
  }

  private async join(record: RunRecord): Promise<void> {
    const { run, command } = record
    const { cwd } = this.settings
    const why = whyNotHere(record, this.settings)
    if (why !== undefined) return this.refuse(run, why)
    const queue = await JetStreamQueue.join(this.connection, run)
    if (!queue) return
    const work = record.kind === 'check' ? await ReplayWork.open(queue, record, this.settings) : new TestWork(queue, record, cwd)
    const tell = (): void => {
      if (!this.connection.isClosed)
        this.connection.nc.publish(aliveOf(run), JSON.stringify({ worker: this.name, made: this.made, atOnce: this.settings.atOnce }))
    }
    tell()
    this.joined.set(run, { queue, work, alive: setInterval(tell, ALIVE_MS) })
    this.say(`Works for run ${run}: ${command.join(' ')}`)
    this.lastWork = performance.now()
  }

  private sayOnce(sentence: string): void {
    if (!this.saidOnce.has(sentence)) this.say(sentence)
    this.saidOnce.add(sentence)
  }

  private readonly saidOnce = new Set<string>()

  private refuse(run: string, why: string): void {
    this.refused.add(run)
    this.say(`Run ${run} is left to others: ${why}.`)
  }

  private leave(run: string): void {
    const joined = this.joined.get(run)
    if (!joined) return
    this.joined.delete(run)
    clearInterval(joined.alive)
    joined.queue.close()
    joined.work.close()
    this.lastWork = performance.now()
  }

  private async loop(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted && !this.isOver; turn++) {
      const next = await this.nextRun(turn)
      if (!next || performance.now() < this.restUntil) {
        await this.connection.pause(LOOK_MS / 4)
        continue
      }
      const [run, { queue, work }] = next
      try {
        if (await workOnce(queue, this.workerFor(work, queue), signal)) this.lastWork = performance.now()
      } catch (error) {
        if (error instanceof RunGone) this.leave(run)
        else if (!this.connection.isClosed) {
          this.say(`An item of run ${run} could not be done: ${error instanceof Error ? error.message : String(error)}`)
          await this.connection.pause(LOOK_MS)
        }
      }
    }
  }

  /** Runs in turn. Of several, those that have something left: a run that nobody went on with has nothing, and would be waited for each time. */
  private async nextRun(turn: number): Promise<readonly [string, Joined] | undefined> {
    const all = [...this.joined]
    if (all.length < 2) return all[0]
    const left: (readonly [string, Joined])[] = []
    for (const one of all) {
      const [run, { queue }] = one
      const items = await queue.left().catch((error: unknown) => void (error instanceof RunGone && this.leave(run)))
      if (items) left.push(one)
    }
    return left.length > 0 ? left[turn % left.length] : all[turn % all.length]
  }

  private workerFor(work: ReplayWork | TestWork, queue: JetStreamQueue): Worker {
    return {
      name: this.name,
      beatMs: queue.silenceMs / 3,
      make: async (item, signal) => {
        this.busy++
        try {
          return await madeBy(work, queue.run, item, signal)
        } finally {
          this.busy--
          this.made++
        }
      },
      onAgain: (_, deaths) =>
        this.say(`Takes an item that ${deaths === 1 ? 'one worker' : `${deaths} workers`} had before and did not finish.`),
      onGivenBack: (_, why) => {
        this.say(`An item was given back: ${why}.`)
        this.restMs = Math.min(LONGEST_REST_MS, Math.max(LOOK_MS, 2 * this.restMs))
        this.restUntil = performance.now() + this.restMs
      },
      onDone: (_, result) => {
        this.restMs = 0
        if ('dead' in result) this.say(`An item was given up: ${result.dead}.`)
      },
    }
  }
}

/** The only place where a command of the queue is looked at: before anything of the run is fetched or started. */
export function whyNotHere({ command, fit }: RunRecord, { allow, cwd }: Pick<FarmSettings, 'allow' | 'cwd'>): string | undefined {
  if (!isAllowed(command, allow) && !(allow.length === 0 && isKnownCommand(cwd, command)))
    return `this worker does not allow its command, ${JSON.stringify(command.join(' ')).slice(0, 200)}: see --allow`
  const wrong = misfits(fit, fitOf(command, cwd))
  return wrong.length > 0 ? wrong.join('; ') : undefined
}

export async function madeBy(work: ReplayWork | TestWork, run: string, item: Item, signal: AbortSignal): Promise<string> {
  if (item.run !== run) throw new NotHere('it is an item of another run', true)
  if (item.kind === 'replay' && work instanceof ReplayWork) return work.make(item, signal)
  if (item.kind === 'tests' && work instanceof TestWork) return work.make(item, signal)
  throw new NotHere('it is an item of another kind', true)
}

const DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])
/** It may go away. */
const isDisk = (error: unknown): error is NodeJS.ErrnoException => DISK.has((error as NodeJS.ErrnoException).code ?? '')
