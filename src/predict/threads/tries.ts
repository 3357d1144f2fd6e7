/**
 * The other result of a try: a lock or a semaphore that is tried once, or waited for with a time-out.
 *
 *   try succeeds   a failed try finds the lock free, or the semaphore posted: before another thread takes it, or after it has released it
 *   try fails      a successful try comes while another thread holds the lock, or before the post; with a time-out, the time-out passes
 *   woken in time  a wait that ended by its time-out is notified before
 */
import { recordedHolders } from '../../causal/holders.ts'
import type { Causality } from '../../causal/causality.ts'
import { asksInPassing, howAsked, TIMED } from '../../trace/asked.ts'
import { CALL, NOTIFY, NOTIFY_ALL, TRY_SHARED_FAILED, WAKE, isAcquire, isRelease } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { parseValue } from '../../trace/values.ts'
import type { Decider } from '../decide/decider.ts'
import { noDemands } from '../propose/group.ts'
import { grouped } from './grouped.ts'
import type { ThreadGroup, ThreadProposal } from './propose.ts'

/** Of every other thread the section, or the post, right before and right after in the recorded run. */
type Neighbours = readonly number[]

const asked = { ...noDemands, kind: 'order-violation', own: true, goesOn: true } as const

export function* otherOutcomes(decider: Decider): Iterable<ThreadGroup> {
  const { causality } = decider
  if (causality.tries.events.length > 0) yield* triesThatFailed(causality)
  if (asksInPassing(causality.trace)) {
    yield* locksGot(causality)
    yield* semaphoresPassed(decider)
  }
  yield* callsInVain(causality)
}

const siteKey = ({ trace }: Causality, e: EventId): string => `${trace.targetName(e)}@${trace.site[e]}`

function* triesThatFailed(causality: Causality): Iterable<ThreadGroup> {
  const { trace, sections, tries, task } = causality
  const holders = recordedHolders(trace, sections)
  yield* grouped(
    'try succeeds',
    'order-violation',
    tries.events,
    (e) => siteKey(causality, e),
    function* (e): Iterable<ThreadProposal> {
      const holder = holders.get(e)
      if (holder === undefined) return
      const [acquire, release] = [sections.acquire[holder]!, sections.release[holder]!]
      const isShared = trace.op[e] === TRY_SHARED_FAILED
      const inTheWay = (order: Int32Array): EventId => keptOutBy(causality, order, trace.target[e]!, task[e]!, isShared)
      const free = { ...asked, pattern: 'try succeeds', becomes: isShared ? 'read lock' : 'lock', next: [e], inTheWay }
      yield { ...free, events: [e, acquire], without: [acquire] }
      if (release !== NONE) yield { ...free, events: [e, release], include: [release] }
    },
  )
}

/** After the order: with which acquire another task has the lock so that this one does not get it; NONE where it does. */
function keptOutBy({ trace, sections }: Causality, order: Int32Array, lock: number, task: number, shared: boolean): EventId {
  const open = new Set<number>()
  for (const e of order) {
    if (trace.target[e] !== lock) continue
    if (isAcquire(trace.op[e]!)) {
      const section = sections.opening(e)
      if (section !== NONE && sections.keepsOut(section, task, shared)) open.add(section)
    } else if (isRelease(trace.op[e]!)) for (const s of open) if (sections.release[s] === e) open.delete(s)
  }
  const [first] = open
  return first === undefined ? NONE : sections.acquire[first]!
}

function* locksGot(causality: Causality): Iterable<ThreadGroup> {
  const { trace, sections } = causality
  const got: number[] = []
  for (let s = 0; s < sections.count; s++) if (howAsked(trace, sections.acquire[s]!)) got.push(s)
  yield* grouped(
    'try fails',
    'order-violation',
    got,
    (s) => siteKey(causality, sections.acquire[s]!),
    function* (s): Iterable<ThreadProposal> {
      const take = sections.acquire[s]!
      const timesOut = howAsked(trace, take)!.how === TIMED
      for (const other of around(causality, s)) {
        const [acquire, release] = [sections.acquire[other]!, sections.release[other]!]
        yield {
          ...asked,
          pattern: 'try fails',
          becomes: 'try in vain',
          events: [take, acquire],
          next: [take],
          include: [acquire],
          without: release === NONE ? [] : [release],
          ...(timesOut ? { timesOut } : {}),
        }
      }
    },
  )
}

/** Sections of others that exclude this one. */
function around(causality: Causality, section: number): Neighbours {
  const { sections, rank } = causality
  const lock = sections.lock[section]!
  const all = sections.lockSections.subarray(sections.lockStart[lock], sections.lockStart[lock + 1])
  const at = (s: number): number => rank[sections.acquire[s]!]!
  const last = new Map<number, number>()
  const first = new Map<number, number>()
  for (const s of all) {
    if (!sections.conflict(section, s)) continue
    const task = sections.task[s]!
    if (at(s) < at(section)) last.set(task, s)
    else if (!first.has(task)) first.set(task, s)
  }
  return [...first.values(), ...last.values()].sort((a, b) => Math.abs(at(a) - at(section)) - Math.abs(at(b) - at(section)))
}

function* semaphoresPassed({ causality, notifyOf }: Decider): Iterable<ThreadGroup> {
  const { trace } = causality
  const passed = causality.wakes.events.filter((wake) => causality.waitStart(wake) === NONE && howAsked(trace, wake))
  yield* grouped(
    'try fails',
    'order-violation',
    passed,
    (wake) => siteKey(causality, wake),
    function* (wake): Iterable<ThreadProposal> {
      const post = notifyOf.get(wake) ?? NONE
      if (post === NONE || causality.task[post] === causality.task[wake]) return
      const timesOut = howAsked(trace, wake)!.how === TIMED
      yield {
        ...asked,
        pattern: 'try fails',
        becomes: 'semaphore in vain',
        events: [wake, post],
        next: [wake],
        without: [post],
        ...(timesOut ? { timesOut } : {}),
        inTheWay: (order) =>
          left(causality, order, trace.target[wake]!) > 0 ? lastOf(causality, order, trace.target[wake]!, isPost) : NONE,
      }
    },
  )
}

const isPost = (op: number): boolean => op === NOTIFY || op === NOTIFY_ALL
const isPass = (op: number): boolean => op === WAKE

/** How often the semaphore can be passed after the order. */
function left({ trace }: Causality, order: Int32Array, semaphore: number): number {
  let count = 0
  for (const e of order) if (trace.target[e] === semaphore) count += isPost(trace.op[e]!) ? 1 : isPass(trace.op[e]!) ? -1 : 0
  return count
}

function lastOf({ trace }: Causality, order: Int32Array, signal: number, wanted: (op: number) => boolean): EventId {
  return order.findLast((e) => trace.target[e] === signal && wanted(trace.op[e]!)) ?? NONE
}

/** What failed and is recorded as a call, with the name of what it was about: a semaphore that was tried, a wait that timed out. */
function* callsInVain(causality: Causality): Iterable<ThreadGroup> {
  const { trace, notifies, rank, task } = causality
  const { names, signals, values } = trace.tables
  const [failed, late] = [names.find('sem failed'), names.find('timed out')]
  if (failed === NONE && late === NONE) return
  const signalOf = (e: EventId): number => {
    const text = values.textOf(trace.value[e]!)
    const name = text === '' ? undefined : parseValue(text)
    return typeof name === 'string' ? signals.find(name) : NONE
  }
  const calls: EventId[] = []
  for (let e = 0; e < trace.eventCount; e++)
    if (trace.op[e] === CALL && (trace.target[e] === failed || trace.target[e] === late) && signalOf(e) !== NONE) calls.push(e)
  yield* grouped(
    'in vain',
    'order-violation',
    calls,
    (e) => `${trace.targetName(e)} ${signalOf(e)}@${trace.site[e]}`,
    function* (e): Iterable<ThreadProposal> {
      const signal = signalOf(e)
      const others = [...notifies.of(signal)].filter((n) => task[n] !== task[e])
      const nearest = others.sort((a, b) => Math.abs(rank[a]! - rank[e]!) - Math.abs(rank[b]! - rank[e]!)).slice(0, 2)
      const start = trace.target[e] === late ? e - 1 : NONE
      for (const notify of nearest) {
        const next = { ...asked, events: [e, notify], next: [e], include: [notify] }
        if (trace.target[e] === failed)
          yield {
            ...next,
            pattern: 'try succeeds',
            becomes: 'pass semaphore',
            inTheWay: (order) => (left(causality, order, signal) > 0 ? NONE : lastOf(causality, order, signal, isPass)),
          }
        else if (start >= trace.taskStart[task[e]!]! && isRelease(trace.op[start]!))
          yield { ...next, pattern: 'woken in time', becomes: 'woken', before: [[start, notify]] }
      }
    },
  )
}
