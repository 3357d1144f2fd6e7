/** What can go wrong, and why nothing prevents it: one or two sentences per kind and pattern. */
import type { Interval } from '../predict/biped/index.ts'
import type { Prediction } from '../predict/predict.ts'
import { nameText, taskText } from '../trace/notation.ts'
import { isWrite } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Model } from '../trace/model.ts'
import { cut, printable } from './escape.ts'
import { heldAt, heldThroughout } from './held.ts'

const MOST_NAMED = 4

/** "data race on balance". */
export function title(trace: Trace, { candidate }: Prediction): string {
  const what = (e: EventId): string => nameText(trace.targetName(e))
  switch (candidate.kind) {
    case 'data-race':
      return `data race on ${what(candidate.events[0]!)}`
    case 'atomicity':
      return `atomicity violation (${candidate.pattern}) on ${what(candidate.events[0]!)}`
    case 'order-violation':
      return `order violation (${candidate.pattern} use) on ${what(candidate.events[0]!)}`
    case 'deadlock':
      if (candidate.pattern === 'cycle') return `deadlock on ${few(candidate.events.map(what))}`
      return `${candidate.pattern} of ${what(candidate.next[0]!)}`
    case 'property':
    case 'typestate':
      return `${candidate.kind} ${candidate.pattern}${bindingText(candidate)}`
  }
}

/** ` (c = Map#1, i = Iterator#2)`, or nothing. */
function bindingText({ property }: Prediction['candidate']): string {
  const texts = Object.entries(property?.binding ?? {}).map(([name, value]) => `${name} = ${cut(value.replace(/^#/, ''), 32)}`)
  return texts.length === 0 ? '' : ` (${few(texts)})`
}

/** What can go wrong. */
export function whatCanHappen(trace: Trace, { candidate }: Prediction): string {
  const { events, kind, pattern } = candidate
  const who = (e: EventId): string => taskText(trace.taskName(trace.taskOf(e)))
  const at = (e: EventId): string => place(trace, e)
  const what = nameText(trace.targetName(events[0]!))
  const [a, b, c] = [events[0]!, events[1]!, events[2]!]
  switch (kind) {
    case 'data-race': {
      if (isWrite(trace.op[a]!) && isWrite(trace.op[b]!))
        return `${who(a)} and ${who(b)} can write ${what} at once (${at(a)} and ${at(b)}): nothing orders the two.`
      const [read, write] = isWrite(trace.op[a]!) ? [b, a] : [a, b]
      return `${who(read)} can read ${what} (${at(read)}) while ${who(write)} writes it (${at(write)}): nothing orders the two.`
    }
    case 'atomicity':
      return between(pattern, who(a), who(b), what, at(a), at(b), at(c), cut(printable(candidate.region ?? 'one region'), 32))
    case 'order-violation':
      if (pattern === 'overdue')
        return `${who(a)} can read ${what} (${at(a)}) before ${who(b)} has written it (${at(b)}): the value it relies on is not there yet.`
      return `${who(a)} can write ${what} (${at(a)}) before ${who(b)} has read it (${at(b)}): the value it was to read is gone.`
    case 'deadlock': {
      if (pattern === 'cycle') {
        const holder = (i: number): string => who(events[(i + 1) % events.length]!)
        const waits = events.map((e, i) => `${who(e)} waits for ${nameText(trace.targetName(e))} (${at(e)}), which ${holder(i)} holds`)
        return `${few(waits, '; ')}: none of them can go on.`
      }
      const wake = candidate.next[0]!
      const notifies = events.filter((e) => e !== wake).map((e) => `${who(e)}, ${at(e)}`)
      return `${who(wake)} can start to wait for ${nameText(trace.targetName(wake))} (${at(wake)}) when every notify has already come (${few(notifies, '; ')}): it waits for ever.`
    }
    case 'property':
    case 'typestate': {
      const { names = [], says = '' } = candidate.property ?? {}
      const steps = names.map((name, i) => `${name} (${who(events[i]!)}, ${at(events[i]!)})`)
      return `${says} In this order: ${few(steps, ', ', 6)}.`
    }
  }
}

function between(pattern: string, one: string, other: string, what: string, a: string, c: string, b: string, region: string): string {
  switch (pattern) {
    case 'R-W-R':
      return `${other} can write ${what} (${c}) between two reads of ${one} in ${region} (${a} and ${b}): they see different values.`
    case 'R-W-W':
      return `${other} can write ${what} (${c}) after ${one} has read it (${a}) and before ${one} writes it back (${b}), both in ${region}: what ${other} wrote is lost.`
    case 'W-W-R':
      return `${other} can write ${what} (${c}) after ${one} has written it (${a}) and before ${one} reads it back (${b}), both in ${region}: ${one} does not see its own write.`
    case 'W-R-W':
      return `${other} can read ${what} (${c}) between two writes of ${one} in ${region} (${a} and ${b}): it sees a value that was not meant to be seen.`
    default:
      return `${other} can access ${what} (${c}) between two accesses of ${one} in ${region} (${a} and ${b}).`
  }
}

/** Why nothing prevents it: the locks at the events that matter, and that no other order forbids it. */
export function whyNot(trace: Trace, { candidate }: Prediction, model: Model): string {
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
