/**
 * Which request took its locks after which other one, in a recorded run. A connection gets a lock of another one only after that one's commit was
 * answered. So the order of answers is the order in which a lock was taken. A replay begins a request when the one before it has been answered.
 * Otherwise the server might let it in first, and the earlier one would wait for it.
 */
import { overlaps } from '../resource/location.ts'
import { APART } from '../trace/loop.ts'
import { ACQUIRE, TURN_BEGIN } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'

interface Taken {
  readonly event: number
  readonly label: string
  /** The transaction or connection whose it is. */
  readonly holder: number
  readonly whole: string
  readonly part?: string
}

/** Those that are under way at the same time are not far from each other. */
const LOOK_BACK = 256

/** By label of a request: the label of the last one before it that took one of its locks, or one that contains it, on another connection. Of a trace that has effects. */
export function lockOrder(trace: Trace): Map<string, string> {
  const before = new Map<string, Taken>()
  const outside = trace.tables.tasks.find('off-loop')
  const taken: Taken[] = []
  let label = ''
  for (let event = trace.taskStart[outside] ?? 0; event < (trace.taskStart[outside + 1] ?? 0); event++) {
    const op = trace.op[event]
    if (op === TURN_BEGIN) label = trace.targetName(event)
    else if (op === ACQUIRE && !trace.targetName(event).startsWith(APART)) {
      const one = takenAt(trace, event, label)
      const last = taken.slice(-LOOK_BACK).findLast((other) => other.holder !== one.holder && other.label !== label && overlaps(one, other))
      // Of several locks: the one that was taken last.
      if (last !== undefined && last.event > (before.get(label)?.event ?? NONE)) before.set(label, last)
      taken.push(one)
    }
  }
  return new Map([...before].map(([own, last]) => [own, last.label]))
}

function takenAt(trace: Trace, event: number, label: string): Taken {
  const [, whole, part] = /^(.*?)(?:\[(.*)\])?$/s.exec(trace.targetName(event))!
  return { event, label, holder: trace.value[event]!, whole: whole!, ...(part === undefined ? {} : { part }) }
}
