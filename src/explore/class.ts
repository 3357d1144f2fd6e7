/** A class of runs, represented by the one run of it that was made: what its tasks saw, and which questions can be asked about it. */
import { fingerprintOf } from '../base/fingerprint.ts'
import { readsFrom } from '../causal/reads-from.ts'
import { Decider } from '../predict/decide/decider.ts'
import type { Joined } from '../trace/joined.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import { Checker } from '../witness/check.ts'
import { BoundTrace } from './bound-trace.ts'
import { Seen, type Histories, type NodeId } from './histories.ts'
import { Updates } from './updates.ts'

/** A run that was made, as far as exploration looks at it. */
export interface Played {
  readonly threads: Joined
  /** Nobody can go on. */
  readonly stuck: boolean
  /** The program failed in another way: how, and which of its threads did, if that is known. */
  readonly failed?: { readonly how: string; readonly task?: string | undefined } | undefined
}

/** Steps of search for one question. */
const BUDGET = 5_000

export class RunClass {
  readonly seen: Seen
  readonly updates: Updates
  /** Of a run that failed, what the others did is chance: only what the thread saw that failed makes its class. */
  readonly key: string
  private asked: Asked | undefined

  /** `depth`: departures from the recorded run. */
  constructor(
    readonly number: number,
    readonly depth: number,
    readonly played: Played,
    histories: Histories,
  ) {
    const { trace } = played.threads
    this.seen = new Seen(histories, trace, readsFrom(trace))
    this.updates = new Updates(this.seen)
    this.key = this.keyOf()
  }

  private keyOf(): string {
    const { failed, stuck } = this.played
    if (stuck) return `stuck\n${this.seen.key}`
    if (!failed) return this.seen.key
    return `${failed.how}\n${this.failedAt === NONE ? this.seen.key : this.failedAt}`
  }

  /** As the key tells classes apart, and the same in every process. */
  get name(): string {
    const { failed, stuck, threads } = this.played
    const task = failed?.task === undefined ? NONE : threads.trace.tables.tasks.find(failed.task)
    const how = stuck ? 'stuck' : failed ? failed.how : ''
    return fingerprintOf([how, this.seen.text(failed && task !== NONE ? [task] : undefined)])
  }

  /** What the thread saw that failed, if it is known which one did. */
  get failedAt(): NodeId {
    const { failed, threads } = this.played
    const task = failed?.task === undefined ? NONE : threads.trace.tables.tasks.find(failed.task)
    return task === NONE ? NONE : this.seen.end(task)
  }

  /** Events of its task before the step that the event is in. */
  beforeStep(event: EventId): number {
    const { trace, steps } = this.played.threads
    const begin = trace.taskStart[trace.taskOf(event)]!
    let e = event
    while (e > begin && steps.stepOf[e - 1] === steps.stepOf[event]) e--
    return e - begin
  }

  /** Made when first asked for, and again when more is known of what locations start with. */
  questions(start: ReadonlyMap<string, string>): Asked {
    if (this.asked?.starts !== start.size) this.asked = new Asked(this.played, start)
    return this.asked
  }

  /** All is decided. */
  forget(): void {
    this.asked = undefined
  }
}

/** What questions about a run are decided with. */
export class Asked {
  readonly bound: BoundTrace
  readonly decider: Decider
  readonly checker: Checker
  readonly starts: number

  constructor({ threads }: Played, start: ReadonlyMap<string, string>) {
    this.starts = start.size
    this.bound = new BoundTrace(threads, start)
    this.decider = new Decider(this.bound.trace, 'maximal', BUDGET)
    this.checker = new Checker(this.bound.trace, 'maximal')
  }
}
