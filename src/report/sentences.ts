/** What can go wrong, and why it is possible: one or two sentences for each kind and pattern. */
import type { Interval } from '../predict/biped/index.ts'
import type { Witnessed } from '../predict/predict.ts'
import { atOnce, forEver, inACircle, parted, tooEarly, tooLate, type Told } from '../trace/sentences.ts'
import { nameText, taskText } from '../trace/notation.ts'
import { isWrite } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Model } from '../trace/model.ts'
import { cut, printable } from './escape.ts'
import { heldAt, heldThroughout } from './held.ts'

const MOST_NAMED = 4

/** "lost update on balance". */
export function title(trace: Trace, { candidate, label }: Witnessed): string {
  const what = (e: EventId): string => nameText(trace.targetName(e))
  switch (candidate.kind) {
    case 'deadlock':
      if (candidate.pattern === 'cycle') return `${label} on ${few(candidate.events.map(what))}`
      return `${label} of ${what(candidate.next[0]!)}`
    case 'property':
    case 'typestate':
      return `${label} ${candidate.pattern}${bindingText(candidate)}`
    default:
      return `${label} on ${what(candidate.events[0]!)}`
  }
}

/** ` (c = Map#1, i = Iterator#2)`, or nothing. */
function bindingText({ property }: Witnessed['candidate']): string {
  const texts = Object.entries(property?.binding ?? {}).map(([name, value]) => `${name} = ${cut(value.replace(/^#/, ''), 32)}`)
  return texts.length === 0 ? '' : ` (${few(texts)})`
}

/** What can go wrong. */
export function whatCanHappen(trace: Trace, { candidate, label }: Witnessed): string {
  const { events, kind, pattern } = candidate
  const who = (e: EventId): string => taskText(trace.taskName(trace.taskOf(e)))
  const at = (e: EventId): string => ` (${place(trace, e)})`
  const region = candidate.region === undefined ? undefined : cut(printable(candidate.region), 32)
  const told = (...those: EventId[]): Told => ({
    who: those.map(who),
    at: those.map(at),
    what: nameText(trace.targetName(those[0]!)),
    region,
  })
  const [a, b] = [events[0]!, events[1]!]
  switch (kind) {
    case 'data-race': {
      const both = isWrite(trace.op[a]!) && isWrite(trace.op[b]!)
      return atOnce(isWrite(trace.op[a]!) && !both ? told(b, a) : told(a, b), both)
    }
    case 'atomicity':
      return parted(label, told(...events))
    case 'order-violation':
      return pattern === 'overdue' ? tooEarly(label, told(a, b)) : tooLate(told(a, b))
    case 'deadlock': {
      if (pattern === 'cycle')
        return inACircle(
          told(...events),
          events.map((e) => nameText(trace.targetName(e))),
        )
      const wake = candidate.next[0]!
      const notifies = events.filter((e) => e !== wake).map((e) => `${who(e)}, ${place(trace, e)}`)
      return forEver(told(wake), ` (${few(notifies, '; ')})`)
    }
    case 'property':
    case 'typestate': {
      const { names = [], says = '' } = candidate.property ?? {}
      const steps = names.map((name, i) => `${name} (${who(events[i]!)}, ${place(trace, events[i]!)})`)
      return `${says} In this order: ${few(steps, ', ', 6)}.`
    }
  }
}

/** Why nothing prevents it: the locks at the events that matter, and that no other order forbids it. */
export function whyNot(trace: Trace, { candidate }: Witnessed, model: Model): string {
  const { events, kind } = candidate
  const who = (e: EventId): string => taskText(trace.taskName(trace.taskOf(e)))
  const set = (locks: Iterable<number>): string => {
    const names = Array.from(locks, (l) => nameText(trace.tables.locks.at(l)))
    return names.length === 0 ? 'no lock' : `{${few(names)}}`
  }
  const orders = freedom(model)
  switch (kind) {
    case 'data-race':
    case 'order-violation': {
      const [a, b] = [events[0]!, events[1]!]
      const held = `${who(a)} holds ${set(heldAt(trace, a).keys())} and ${who(b)} holds ${set(heldAt(trace, b).keys())} there`
      if (kind === 'data-race') return `${held}: no lock keeps them apart, and ${orders} orders the two.`
      return `${held}; no order of their critical sections and ${orders} keeps ${who(b)} first.`
    }
    case 'atomicity': {
      const [a, c, b] = [events[0]!, events[1]!, events[2]!]
      const throughout = set(heldThroughout(trace, a, b))
      return `${who(a)} holds ${throughout} from its first access to its second, ${who(c)} holds ${set(heldAt(trace, c).keys())}: no lock keeps ${who(c)} out, and ${orders} does.`
    }
    case 'deadlock': {
      if (candidate.pattern !== 'cycle') return `Nothing makes ${who(candidate.next[0]!)} wait before the first notify: ${orders} does.`
      const held = events.map((e) => `${who(e)} holds ${set(heldAt(trace, e).keys())}`)
      return `${few(held, ', ')}: no common lock guards the cycle, and ${orders} keeps the tasks apart.`
    }
    case 'property':
    case 'typestate': {
      const tasks = new Map(events.map((e) => [trace.taskOf(e), e]))
      const held = Array.from(tasks.values(), (e) => `${who(e)} holds ${set(heldAt(trace, e).keys())}`)
      return `${few(held, ' and ')} there; no order of their critical sections and ${orders} prevents it.`
    }
  }
}

const freedom = (model: Model): string => {
  switch (model) {
    case 'sync':
      return 'no fork, join or notify (model sync: reads are free, so this may need other values)'
    case 'data':
      return 'no fork, join, notify or read that must see its recorded write'
    case 'maximal':
      return 'no fork, join, notify or read that must see its recorded value'
  }
}

/** The interval of BIPED and the block that moves, in the paper's notation: positions in their new order, runs as first…last. */
export function intervalSentence(trace: Trace, interval: Interval): string {
  const { stamp } = trace
  const ends = `Interval ${stamp[interval.bottom]}…${stamp[interval.top]} of the recorded run`
  if (!interval.possible || !interval.permuted) return `${ends}: the interval method cannot turn it around, the decider can.`
  const moved = `can be permuted to ⟨${few(runsOf(trace, interval.permuted), ', ', 8)}⟩`
  return interval.flaw === undefined
    ? `${ends} ${moved}.`
    : `${ends} ${moved} by the paper's rules, which overlook that ${interval.flaw}; the decider found another order.`
}

/** Neighbours of the recorded order that are still neighbours, as `first…last`. */
function runsOf(trace: Trace, order: Int32Array): string[] {
  const recorded = new Map<number, number>()
  Int32Array.from(order)
    .sort((a, b) => trace.stamp[a]! - trace.stamp[b]! || a - b)
    .forEach((e, i) => recorded.set(e, i))
  const runs: string[] = []
  for (let i = 0; i < order.length;) {
    let j = i
    while (j + 1 < order.length && recorded.get(order[j + 1]!) === recorded.get(order[j]!)! + 1) j++
    const [first, last] = [trace.stamp[order[i]!]!, trace.stamp[order[j]!]!]
    runs.push(first === last ? `${first}` : `${first}…${last}`)
    i = j + 1
  }
  return runs
}

/** Where in the source, or else where in the trace. */
export function place(trace: Trace, event: EventId): string {
  const site = trace.siteName(event)
  return site === '' ? `position ${trace.stamp[event]}` : nameText(site)
}

function few(texts: readonly string[], comma = ', ', most = MOST_NAMED): string {
  return texts.length <= most ? texts.join(comma) : `${texts.slice(0, most).join(comma)}${comma}… ${texts.length - most} more`
}
