/**
 * Replays as items of a queue: the caller puts an item and waits for its result. Without a server the queue is in this process, and the replay is
 * made here, in the folder that was made for it. With a server a worker makes it, and its files come back. When a run is resumed, a replay that was
 * already made is not made again.
 */
import { randomUUID } from 'node:crypto'
import { Fault } from '../../base/schema.ts'
import type { Makes } from '../../confirm/run.ts'
import type { AlonePlan, Ended, EndedAlone, Program, ReplayPlan } from '../../frontends/contract.ts'
import { hashOf, idOf, ITEM_VERSION, type Item } from './item.ts'
import { MemoryQueue } from './memory.ts'
import { BadPack, unpacked, writeFiles, type Unpacked } from './pack.ts'
import { planBytes, readSaid, type SaidOfRun } from './plan.ts'
import type { Queue } from './queue.ts'
import { readResult, workAll, type Result } from './work.ts'

/** What came of a replay is told to whoever follows the run. */
export interface Followed {
  onResult?(result: Result): void
  onClass?(): unknown
  readonly said?: () => string
}

const NEVER = new AbortController().signal
const INTERRUPTED: SaidOfRun = { exit: { code: null, signal: null, ms: 0 }, stopped: 'interrupted', stdout: '', stderr: '', root: '' }

type Plan = ReplayPlan | AlonePlan

/** How it ended, and what it left. */
interface Made {
  readonly said: SaidOfRun
  readonly pack?: Unpacked
}

/** Numbers of equal plans: the third replay of a schedule is the third also when the run is resumed. */
class Numbers {
  private readonly of = new Map<string, number>()

  next(plan: string): number {
    const nth = this.of.get(plan) ?? 0
    this.of.set(plan, nth + 1)
    return nth
  }
}

/** By workers. `root`: the folder of the project here. */
export class FarReplays implements Makes {
  readonly elsewhere = true
  /** Items that were given up, and why. */
  readonly dead: string[] = []
  private readonly numbers = new Numbers()
  private readonly stored = new Set<string>()
  private readonly me = randomUUID()

  constructor(
    private readonly queue: Queue,
    private readonly program: Program,
    private readonly root: string,
    readonly atOnce: number,
    private readonly followed: Followed = {},
    /** Some of it may have been made before. */
    private readonly isResumed = true,
  ) {}

  async replay(plan: ReplayPlan): Promise<Ended> {
    const made = await this.make(plan)
    // The front end makes the folder ready as for a run of its own. What the real one left comes on top.
    const ran = async (): Promise<SaidOfRun> => {
      if (made.pack) writeFiles(plan.folder, made.pack)
      return made.said
    }
    return this.program.replay({ ...plan, within: undefined, ran })
  }

  async alone(plan: AlonePlan): Promise<EndedAlone> {
    return (await this.make(plan)).said
  }

  get said(): () => string {
    return this.followed.said ?? ((): string => '')
  }

  readonly notes = (): string[] =>
    this.dead.length === 0
      ? []
      : [
          `${this.dead.length === 1 ? 'One replay was' : `${this.dead.length} replays were`} given up, so ${this.dead.length === 1 ? 'its outcome is' : 'their outcomes are'} not known: ${this.dead[0]}.`,
        ]

  async claim(key: string): Promise<boolean> {
    this.followed.onClass?.()
    return (await this.queue.claim('class', key, this.me)) === this.me
  }

  private async make(plan: Plan): Promise<Made> {
    const bytes = planBytes(plan)
    const name = hashOf(bytes)
    const watchdogMs = Math.max(1, Math.round(plan.watchdogMs))
    const item: Item = { heddle: ITEM_VERSION, kind: 'replay', run: this.queue.run, plan: name, nth: this.numbers.next(name), watchdogMs }
    const id = idOf(item)
    const signal = plan.signal ?? NEVER
    let json = this.isResumed ? await this.queue.claimed('done', id) : undefined
    if (json === undefined) {
      if (signal.aborted) return { said: INTERRUPTED }
      if (!this.stored.has(name)) await this.queue.store(name, bytes)
      this.stored.add(name)
      await this.queue.put(item)
      json = await this.queue.result(id, signal)
    }
    if (json === undefined) return { said: INTERRUPTED }
    const result = readResult(json)
    this.followed.onResult?.(result)
    if (!('object' in result)) return this.lost('dead' in result ? result.dead : 'its result is not here')
    const object = await this.queue.load(result.object)
    return object === undefined ? this.lost('its result is not in the store') : this.opened(object)
  }

  private async opened(object: Uint8Array): Promise<Made> {
    let pack: Unpacked
    try {
      pack = await unpacked(object)
    } catch (error) {
      if (!(error instanceof BadPack)) throw error
      return this.lost(error.message)
    }
    const said = readSaid(pack.said)
    if (said instanceof Fault) return this.lost(said.text)
    const here = (text: string): string => moved(text, said.root, this.root)
    return {
      said: { ...said, stdout: here(said.stdout), stderr: here(said.stderr) },
      pack: atRoot(pack, said.root, this.root),
    }
  }

  /** Nobody knows how it would have ended. */
  private lost(why: string): Made {
    this.dead.push(why)
    return { said: INTERRUPTED }
  }
}

/** Paths of the project are those of this machine. */
export const moved = (text: string, from: string, to: string): string => (from === to || from.length < 2 ? text : text.replaceAll(from, to))

/** In JSON files, which speak of paths; traces speak of places relative to the folder. */
const atRoot = (pack: Unpacked, from: string, to: string): Unpacked =>
  from === to
    ? pack
    : {
        ...pack,
        files: pack.files.map(({ name, bytes }) =>
          name.endsWith('.json') ? { name, bytes: Buffer.from(moved(bytes.toString('utf8'), from, to)) } : { name, bytes },
        ),
      }

/** In this process. */
export class NearReplays implements Makes {
  readonly elsewhere = false
  private readonly queue = new MemoryQueue()
  private readonly plans = new Map<string, Plan>()
  private readonly ended = new Map<string, { readonly ended: Ended | EndedAlone } | { readonly error: unknown }>()
  private readonly numbers = new Numbers()
  private readonly stop = new AbortController()
  private readonly me = randomUUID()

  constructor(private readonly program: Program) {
    void workAll(this.queue, { name: 'here', make: (item) => this.made(idOf(item)) }, this.stop.signal, () => undefined)
  }

  async replay(plan: ReplayPlan): Promise<Ended> {
    return (await this.through(plan)) as Ended
  }

  alone(plan: AlonePlan): Promise<EndedAlone> {
    return this.through(plan)
  }

  async claim(key: string): Promise<boolean> {
    return (await this.queue.claim('class', key, this.me)) === this.me
  }

  close(): void {
    this.stop.abort()
  }

  private async through(plan: Plan): Promise<Ended | EndedAlone> {
    const name = hashOf(planBytes(plan))
    const item: Item = {
      heddle: ITEM_VERSION,
      kind: 'replay',
      run: this.queue.run,
      plan: name,
      nth: this.numbers.next(name),
      watchdogMs: 1,
    }
    const id = idOf(item)
    this.plans.set(id, plan)
    await this.queue.put(item)
    await this.queue.result(id, NEVER)
    const made = this.ended.get(id)!
    this.ended.delete(id)
    if ('error' in made) throw made.error
    return made.ended
  }

  private async made(id: string): Promise<undefined> {
    const plan = this.plans.get(id)!
    this.plans.delete(id)
    try {
      this.ended.set(id, { ended: await ('schedule' in plan ? this.program.replay(plan) : this.program.alone!(plan)) })
    } catch (error) {
      this.ended.set(id, { error })
    }
  }
}
