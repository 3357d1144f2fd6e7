/**
 * Rule 4 of docs/model.md on the recorded order: can every wake have a notify of its own? A wake accepts notifies between its release and
 * itself, a notify serves one wake, so this is scheduling unit jobs with release times and deadlines, for which taking the earliest
 * deadline first is exact. Wakes that a notifyAll reaches need no notify.
 */
import { isRelease, WAKE } from './ops.ts'
import { NONE, type EventId, type Trace } from './trace.ts'

/** The waits of one signal, in recorded order. */
class Signal {
  readonly wakes: { event: EventId; opens: number; closes: number }[] = []
  readonly notifies: number[] = []
  lastNotifyAll = -1
}

/** What happened to signals, gathered while walking the recorded order. Positions are places in it. */
export class WakeLog {
  readonly signals = new Map<number, Signal>()
  private readonly opened = new Map<EventId, number>()

  constructor(private readonly trace: Trace) {}

  /** Remembers a release that a wake follows in its task: notifies before it are lost on that wake. */
  release(event: EventId, at: number): void {
    if (event + 1 < this.trace.eventCount && this.trace.op[event + 1] === WAKE) this.opened.set(event + 1, at)
  }

  wake(event: EventId, signal: number, at: number): void {
    const s = this.signal(signal)
    const afterRelease = event > this.trace.taskStart[this.trace.taskOf(event)]! && isRelease(this.trace.op[event - 1]!)
    const opens = afterRelease ? this.opened.get(event)! : -1
    this.opened.delete(event)
    if (s.lastNotifyAll > opens) return
    s.wakes.push({ event, opens, closes: at })
  }

  notify(all: boolean, signal: number, at: number): void {
    const s = this.signal(signal)
    if (all) s.lastNotifyAll = at
    else s.notifies.push(at)
  }

  private signal(id: number): Signal {
    let s = this.signals.get(id)
    if (!s) this.signals.set(id, (s = new Signal()))
    return s
  }
}

/** A wake that is left without a notify, or NONE. */
export function unservedWake(log: WakeLog): EventId {
  for (const { wakes, notifies } of log.signals.values()) {
    // `wakes` is in order of deadline. Waiting ones are in a heap of places in `wakes`, so the least place has the earliest deadline.
    const byOpening = Int32Array.from(wakes.keys()).sort((a, b) => wakes[a]!.opens - wakes[b]!.opens)
    const waiting: number[] = []
    let opened = 0
    for (const at of notifies) {
      while (opened < byOpening.length && wakes[byOpening[opened]!]!.opens < at) push(waiting, byOpening[opened++]!)
      if (waiting.length === 0) continue
      const first = pop(waiting)
      if (wakes[first]!.closes < at) return wakes[first]!.event
    }
    while (opened < byOpening.length) push(waiting, byOpening[opened++]!)
    if (waiting.length > 0) return wakes[pop(waiting)]!.event
  }
  return NONE
}

function push(heap: number[], item: number): void {
  let i = heap.push(item) - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (heap[parent]! <= item) break
    heap[i] = heap[parent]!
    i = parent
  }
  heap[i] = item
}

function pop(heap: number[]): number {
  const top = heap[0]!
  const item = heap.pop()!
  if (heap.length > 0) {
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= item) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = item
  }
  return top
}
