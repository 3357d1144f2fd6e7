/** Why one event must come before another: the shortest chain of direct edges, each with its reason in a sentence. */
import { NONE, type EventId, type Trace } from '../trace/trace.ts'
import type { Causality, Reason } from './causality.ts'
import type { MustOrder } from './must-order.ts'

export interface Step {
  readonly from: EventId
  readonly to: EventId
  readonly sentence: string
}

/** "T1 line 12 w(x)": how sentences name an event. */
export function nameOf(trace: Trace, event: EventId): string {
  const site = trace.siteName(event)
  return `${trace.taskName(trace.taskOf(event))} ${trace.eventText(event)} [${trace.stamp[event]}]${site === '' ? '' : ` at ${site}`}`
}

/** The chain of reasons from `a` to `b`, or undefined when `a` need not come before `b`. Steps inside a task are joined into one. */
export function mustPath(causality: Causality, must: MustOrder, a: EventId, b: EventId): Step[] | undefined {
  if (!must.before(a, b)) return undefined
  // Breadth first from b backwards, only through events that a must precede: each such event is on some chain.
  const towards = new Map<EventId, { to: EventId; reason: Reason; read: EventId }>()
  let level = [b]
  while (!towards.has(a) && level.length > 0) {
    const earlier: EventId[] = []
    for (const to of level) {
      causality.inEdges(to, (from, reason, read) => {
        if (towards.has(from) || from === b || (from !== a && !must.before(a, from))) return
        towards.set(from, { to, reason, read })
        earlier.push(from)
      })
    }
    level = earlier
  }
  const steps: Step[] = []
  for (let at = a; at !== b;) {
    let edge = towards.get(at)!
    const from = at
    at = edge.to
    if (edge.reason === 'program') {
      while (at !== b && towards.get(at)!.reason === 'program') at = towards.get(at)!.to
      edge = { ...edge, to: at }
    }
    steps.push({ from, to: at, sentence: say(causality, from, at, edge.reason, edge.read) })
  }
  return steps
}

function say({ trace, task }: Causality, from: EventId, to: EventId, reason: Reason, read: EventId): string {
  const [x, y] = [nameOf(trace, from), nameOf(trace, to)]
  switch (reason) {
    case 'program':
      return `${x} comes before ${y} in task ${trace.taskName(task[from]!)}`
    case 'fork':
      return `${x} starts the task of ${y}`
    case 'join':
      return `${y} waits for the task of ${x} to end`
    case 'notify':
      return `${y} can only be woken by ${x}`
    case 'reads': {
      const what = read === NONE ? '' : nameOf(trace, read)
      return `${what} saw what ${x} wrote, and ${y} may depend on it`
    }
  }
}
