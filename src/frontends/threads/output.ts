/**
 * The events that the second pass writes: one stamp for each record with events, one number for each code address. Stamps are four apart, so that a
 * read can be moved beside another event.
 */
import type { Names } from '../../base/names.ts'
import { CALL, isRelease, JOIN, UPDATE } from '../../trace/ops.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import { Agreement } from './agree.ts'
import { Events } from './events.ts'
import type { Slot } from '../../trace/event-store.ts'

const NONE = -1
const APART = 4

/** A thread whose records are walked: the one at hand. */
export interface AtHand {
  readonly task: number
  /** 0 behind the last one. */
  readonly kind: number
  readonly step: number
  /** Where in the code it is, as a number; 0 where that is not known. */
  readonly pc: number
}

export class Output {
  readonly events: Events
  readonly agreement: Agreement
  readonly pcs: number[] = []
  private readonly numberOfPc = new Map<number, number>()
  private readonly joined = new Map<number, number>()
  /** Per task: the read that says again what the one before it said. */
  private readonly repeated: Int32Array
  private thread!: AtHand
  private stamp = 0
  private isFresh = true

  constructor(
    locations: number,
    private readonly names: Names,
    private readonly threads: readonly AtHand[],
  ) {
    this.events = new Events(threads.length)
    this.repeated = new Int32Array(threads.length).fill(NONE)
    this.agreement = new Agreement(this.events, locations, threads.length)
  }

  /** What is written from now on belongs to the record at hand of this thread. */
  at(thread: AtHand): void {
    this.thread = thread
    this.isFresh = true
  }

  /** The stamp of what is written for the record at hand. */
  get now(): number {
    if (this.isFresh) {
      this.stamp += APART
      this.isFresh = false
    }
    return this.stamp
  }

  /** Where the record at hand is; 0 where that is not known. */
  get pc(): number {
    return this.thread.pc
  }

  put(op: number, target: number, value: number = NOT_OBSERVED): Slot {
    const { task, step } = this.thread
    this.agreement.next(task)
    const slot = this.events.addStep(task, op, target, value, this.site(), this.now, step)
    this.agreement.added(task, slot)
    return slot
  }

  /** Are all records of the task behind us? */
  isOver(task: number): boolean {
    return this.threads[task]!.kind === 0
  }

  /** The record at hand waits for the end of the task. */
  join(task: number): void {
    this.agreement.next(task) // a read of it cannot be moved behind this
    this.put(JOIN, task)
    if (!this.joined.has(task)) this.joined.set(task, this.now)
  }

  /** What a task did after its last record: right before it was joined, or right before the record at hand. */
  putAtEnd(task: number, op: number, target: number): void {
    const stamp = (this.joined.get(task) ?? this.now) - 1
    this.agreement.next(task)
    this.agreement.added(task, this.events.addStep(task, op, target, NOT_OBSERVED, NONE, stamp, this.threads[task]!.step))
  }

  call(name: string, value: number = NOT_OBSERVED): void {
    this.put(CALL, this.names.intern(name), value)
  }

  /** `half`: of an update. */
  read(op: number, location: number, value: number, half: boolean): void {
    const { task, step } = this.thread
    const { events, agreement } = this
    const site = this.site()
    let again = false
    if (!half && value !== NOT_OBSERVED && agreement.agrees(task, location, value)) {
      // The same again, as in a loop that waits for a flag: the first time and the last stand for all. (A loop that waits for a lock takes it at the first try where it is free.)
      const last = agreement.lastOf(task)
      again =
        last !== NONE &&
        events.valueOf(last) === value &&
        events.opOf(last) === op &&
        events.targetOf(last) === location &&
        events.siteOf(last) === site
      if (again && this.repeated[task] === last) {
        events.setStamp(last, this.now)
        events.setStep(last, step)
        return
      }
    }
    agreement.next(task)
    const slot = events.addStep(task, op, location, value, site, this.now, step)
    if (again) this.repeated[task] = slot
    agreement.read(task, slot, location, value, !half)
    agreement.added(task, slot)
  }

  write(op: number, location: number, value: number = NOT_OBSERVED): void {
    const slot = op === UPDATE ? this.half(location, value) : this.put(op, location, value)
    this.agreement.write(this.thread.task, slot, location, value)
  }

  /** Is the last event of the thread at hand a release? A wake right after one would end a wait (docs/model.md, rule 4). */
  get afterRelease(): boolean {
    const last = this.agreement.lastOf(this.thread.task)
    return last !== NONE && isRelease(this.events.opOf(last))
  }

  /** The write half stands right after the read half, whatever became of its value. */
  private half(location: number, value: number): Slot {
    const { task, step } = this.thread
    const slot = this.events.addStep(task, UPDATE, location, value, this.site(), this.now, step)
    this.agreement.added(task, slot)
    return slot
  }

  private site(): number {
    const { pc } = this.thread
    if (pc === 0) return NONE
    let number = this.numberOfPc.get(pc)
    if (number === undefined) {
      this.numberOfPc.set(pc, (number = this.pcs.length))
      this.pcs.push(pc)
    }
    return number
  }
}
