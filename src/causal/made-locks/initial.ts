/**
 * What comes after the first write to a cell in every order: steps of tasks that were made after it, by the writer or by one it made, and
 * steps after a message that the writer sent after it. Less than all there is (docs/model.md), and cheap.
 */
import { FORK, NOTIFY, NOTIFY_ALL, WAKE } from '../../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'

/** Messages from one task to another: when each was received, and the latest one sent among those received so far. */
interface Messages {
  readonly wakes: number[]
  readonly latest: number[]
}

export class Later {
  private readonly forkOf: Int32Array
  private readonly messages = new Map<number, Messages>()

  constructor(
    private readonly trace: Trace,
    private readonly task: Int32Array,
  ) {
    const { op, target } = trace
    this.forkOf = new Int32Array(trace.taskCount).fill(NONE)
    const several = -2
    const notify = new Int32Array(trace.tables.signals.size).fill(NONE)
    for (let e = 0; e < op.length; e++) {
      const o = op[e]
      if (o === FORK) this.forkOf[target[e]!] = e
      else if (o === NOTIFY || o === NOTIFY_ALL) notify[target[e]!] = notify[target[e]!] === NONE ? e : several
    }
    for (let e = 0; e < op.length; e++) {
      if (op[e] !== WAKE || notify[target[e]!]! < 0) continue
      const sent = notify[target[e]!]!
      const list = this.between(task[sent]!, task[e]!)
      list.wakes.push(e)
      list.latest.push(Math.max(sent, list.latest.at(-1) ?? NONE))
    }
  }

  isAfter(event: EventId, write: EventId): boolean {
    const t = this.task[event]!
    const writer = this.task[write]!
    if (t === writer) return event > write
    for (let fork = this.forkOf[t]!; fork !== NONE; fork = this.forkOf[this.task[fork]!]!) {
      if (this.task[fork] === writer) return fork > write || this.isTold(event, write)
    }
    return this.isTold(event, write)
  }

  private isTold(event: EventId, write: EventId): boolean {
    const { wakes, latest } = this.between(this.task[write]!, this.task[event]!)
    let lo = 0
    let hi = wakes.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (wakes[mid]! < event) lo = mid + 1
      else hi = mid
    }
    return lo > 0 && latest[lo - 1]! > write
  }

  private between(from: TaskId, to: TaskId): Messages {
    const key = from * this.trace.taskCount + to
    let list = this.messages.get(key)
    if (!list) this.messages.set(key, (list = { wakes: [], latest: [] }))
    return list
  }
}
