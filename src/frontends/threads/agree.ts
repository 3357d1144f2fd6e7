/**
 * Makes reads agree with writes. Values and stamps are taken beside the accesses, not with them. So where threads race, a read may have the value of
 * the write before or after the one it follows. It is moved there if its thread did nothing in between. Otherwise its value, and that of the write,
 * are marked as not observed, so that nothing is concluded from them.
 */
import { GrowInt32 } from '../../base/grow.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Events } from './events.ts'
import type { Slot } from '../../trace/event-store.ts'

const NONE = -1

export class Agreement {
  /** Reads that stand elsewhere than their stamp says, and those whose value was taken back. */
  moved = 0
  takenBack = 0
  /** What is there as far as is known, what was there before the last write, and that write. */
  private readonly current: Int32Array
  private readonly before: Int32Array
  private readonly writer: Int32Array
  private readonly writerTask: Int32Array
  /** 1: a read saw the last write. */
  private readonly seen: Uint8Array
  /** Per task: its last event, if that is a read that nothing explains yet. */
  private readonly open: Int32Array
  private readonly openTasks = new GrowInt32()
  private readonly mayMove: Uint8Array
  private readonly last: Int32Array
  private readonly previous: Int32Array

  constructor(
    private readonly events: Events,
    locations: number,
    tasks: number,
  ) {
    this.current = new Int32Array(locations).fill(NOT_OBSERVED)
    this.before = new Int32Array(locations).fill(NOT_OBSERVED)
    this.writer = new Int32Array(locations).fill(NONE)
    this.writerTask = new Int32Array(locations).fill(NONE)
    this.seen = new Uint8Array(locations)
    this.open = new Int32Array(tasks).fill(NONE)
    this.mayMove = new Uint8Array(tasks)
    this.previous = new Int32Array(tasks).fill(NONE)
    this.last = new Int32Array(tasks).fill(NONE)
  }

  /** Before an event of the task is added. */
  next(task: number): void {
    if (this.open[task] !== NONE) this.giveUp(task)
  }

  added(task: number, slot: Slot): void {
    this.previous[task] = this.last[task]!
    this.last[task] = slot
  }

  lastOf(task: number): Slot {
    return this.last[task]!
  }

  /** Would a read of this value be explained here? */
  agrees(task: number, location: number, value: number): boolean {
    return this.current[location] === value && this.open[task] === NONE
  }

  /** `mayMove`: it is not half of an update. Called before `added`. */
  read(task: number, slot: Slot, location: number, value: number, mayMove: boolean): void {
    if (value === NOT_OBSERVED) return
    const there = this.current[location]!
    if (there === NOT_OBSERVED || there === value) {
      this.current[location] = value
      this.seen[location] = 1
      return
    }
    if (mayMove && this.before[location] === value && this.moveBefore(task, slot, location, value)) return
    this.open[task] = slot
    this.mayMove[task] = Number(mayMove)
    if (mayMove) this.openTasks.push(task)
    else this.giveUp(task)
  }

  write(task: number, slot: Slot, location: number, value: number): void {
    this.before[location] = this.current[location]!
    this.current[location] = value
    this.writer[location] = slot
    this.writerTask[location] = task
    this.seen[location] = 0
    if (this.openTasks.length > 0 && value !== NOT_OBSERVED) this.explain(task, slot, location, value)
  }

  finish(): void {
    for (let task = 0; task < this.open.length; task++) this.next(task)
  }

  /** Reads that wait for just this write. */
  private explain(writer: number, slot: Slot, location: number, value: number): void {
    let kept = 0
    for (let i = 0; i < this.openTasks.length; i++) {
      const task = this.openTasks.at(i)
      const read = this.open[task]!
      if (read === NONE) continue
      if (task !== writer && this.events.targetOf(read) === location && this.events.valueOf(read) === value) {
        this.events.setStamp(read, this.events.stampOf(slot) + 1)
        this.open[task] = NONE
        this.seen[location] = 1
        this.moved++
      } else this.openTasks.set(kept++, task)
    }
    this.openTasks.length = kept
  }

  /** Puts the read right before the last write. Not where its own thread wrote, or did something since. */
  private moveBefore(task: number, slot: Slot, location: number, value: number): boolean {
    const writer = this.writer[location]!
    // The read itself may be the last event already.
    const previous = this.last[task] === slot ? this.previous[task]! : this.last[task]!
    if (writer === NONE || this.writerTask[location] === task || previous === NONE) return false
    const place = this.events.stampOf(writer) - 1
    if (this.events.stampOf(previous) > place) return false
    this.before[location] = value
    this.events.setStamp(slot, place)
    this.moved++
    return true
  }

  private giveUp(task: number): void {
    const { events } = this
    const read = this.open[task]!
    const location = events.targetOf(read)
    this.open[task] = NONE
    // What was there before the write is not known: it can have been this. Unless others wrote since.
    const writer = this.writer[location]!
    const isLater = writer === NONE || events.stampOf(writer) > events.stampOf(read)
    if (this.mayMove[task] === 1 && !isLater && this.before[location] === NOT_OBSERVED) {
      if (this.moveBefore(task, read, location, events.valueOf(read))) return
    }
    events.setValue(read, NOT_OBSERVED)
    this.takenBack++
    if (isLater || this.seen[location] === 1 || events.valueOf(writer) === NOT_OBSERVED) return
    events.setValue(writer, NOT_OBSERVED)
    this.current[location] = NOT_OBSERVED
  }
}
