/** Words for a prediction about threads: the two orders as rows, what can go wrong, and why nothing prevents it. */
import type { OrderAccess, OrderRow } from '../../schedule/order.ts'
import { howAsked, TIMED } from '../../trace/asked.ts'
import { CALL, RETURN, UPDATE, isAcquire, isRelease, isWrite } from '../../trace/ops.ts'
import { placed } from '../../trace/site.ts'
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Causality } from '../../causal/causality.ts'
import { eventName, plainValue } from '../../property/words.ts'
import type { Asked } from '../propose/asked.ts'
import { atOnce, forEver, inACircle, overwritten, parted, tooEarly, tooLate, type Told } from '../../trace/sentences.ts'
import { comesTooLate, operationOf, refusedOf } from './misuse.ts'
import type { ThreadPattern } from './pattern.ts'
import type { ThreadProposal } from './propose.ts'
import type { Threads } from './schedule.ts'

const MOST_ROWS = 8
/** Those of tries.ts. */
const PASSING = new Set(['try succeeds', 'try fails', 'woken in time'])

export class Words {
  private readonly trace: Trace

  constructor(
    private readonly threads: Threads,
    private readonly causality: Causality,
  ) {
    this.trace = threads.trace
  }

  /** Rows for these events in this order; those of one step are one row. `seen`: values that differ from the recorded ones, by event; `of`: what is demanded. */
  rows(events: readonly EventId[], seen: ReadonlyMap<EventId, number> = new Map(), of?: ThreadProposal): OrderRow[] {
    const { trace, threads, causality } = this
    const rows: (OrderRow & { accesses: OrderAccess[] })[] = []
    for (const e of events) {
      const task = causality.task[e]!
      const turn = { label: trace.taskName(task), nth: threads.stepOf[e]! }
      const access = this.said({ ...this.access(e, seen.get(e) ?? trace.value[e]!), ...(e === of?.next[0] ? becomes(of) : {}) })
      const last = rows.at(-1)
      if (last && last.turn.label === turn.label && last.turn.nth === turn.nth) {
        last.accesses.push(access)
        continue
      }
      const fork = causality.forkOf[task]!
      const posted = fork === NONE ? '' : trace.siteName(fork)
      rows.push({ turn, name: turn.label, chain: turn.label, offLoop: false, posted, at: rows.length, accesses: [access] })
    }
    return rows.slice(0, MOST_ROWS)
  }

  private said(access: OrderAccess): OrderAccess {
    const { verbs } = this.threads.steps.vocabulary
    return Object.hasOwn(verbs, access.access) ? { ...access, verb: verbs[access.access]! } : access
  }

  private access(e: EventId, value: number): OrderAccess {
    const { trace, threads, causality } = this
    const op = trace.op[e]!
    const word = threads.steps.text(causality.task[e]!, threads.stepOf[e]!)
    const { vocabulary } = threads.steps
    const made = vocabulary.mayLock(word)
    const access = made && isAcquire(op) ? 'lock' : made && isRelease(op) ? 'unlock' : word
    const text = trace.tables.values.textOf(value)
    if (op === CALL && vocabulary.callsAreSteps && access !== '') return { access, location: plainValue(text), site: this.site(e) }
    if (op === CALL || op === RETURN) return { access: op === CALL ? 'call' : 'return', location: eventName(trace, e), site: this.site(e) }
    const location = cellOf(trace.targetName(e))
    return { access, location, ...(text === '' ? {} : { value: text }), site: this.site(e) }
  }

  site(e: EventId): string {
    return this.trace.siteName(e).split(' < ')[0]!
  }

  /** What it is about: a location, a lock, a cell that is waited for. */
  about({ kind, pattern, events, next, waits, property }: ThreadProposal): string[] {
    const { trace } = this
    if (waits !== undefined) return [cellOf(trace.targetName(waits))]
    if (property && kind === 'typestate') return Object.values(property.binding).map(plainValue)
    if (property) return [...new Set([eventName(trace, events[0]!), ...Object.values(property.binding).map(plainValue)])]
    if (kind === 'deadlock') return [...new Set(next.map((e) => trace.targetName(e)))]
    if (pattern === 'time-out') return [trace.targetName(next[0]!)]
    if (pattern === 'wake-up order') return [trace.targetName(next[0]!)]
    if (pattern === 'message order') return ['messages']
    if (PASSING.has(pattern))
      return [
        trace.op[events[0]!] === CALL ? plainValue(trace.tables.values.textOf(trace.value[events[0]!]!)) : trace.targetName(events[0]!),
      ]
    return [trace.targetName(events[0]!)]
  }

  summary(candidate: ThreadProposal, pattern: ThreadPattern, stale: number): string {
    const { trace, causality } = this
    const { events, next } = candidate
    const [what] = this.about(candidate)
    const who = (e: EventId): string => trace.taskName(causality.task[e]!)
    const at = (e: EventId): string => placed(this.site(e))
    const [a, b, c] = [events[0]!, events[1]!, events[2]!]
    if (candidate.property && candidate.kind === 'typestate') return this.misuse(candidate, candidate.property, what ?? '')
    if (candidate.property) return candidate.property.says
    const instead = stale === NOT_OBSERVED ? '' : `: it sees ${trace.tables.values.textOf(stale)}`
    const told = (...those: EventId[]): Told => ({ who: those.map(who), at: those.map(at), what: what ?? '', instead })
    if (candidate.kind === 'atomicity') return parted(pattern, told(...events))
    switch (pattern) {
      case 'data race': {
        const [one, two] = isWrite(trace.op[a]!) ? [b, a] : [a, b]
        return isWrite(trace.op[one]!) || updates(trace, one) ? atOnce(told(a, b), true) : atOnce(told(one, two), false)
      }
      case 'lost update':
      case 'check-then-act':
      case 'stale read':
      case 'use before initialisation':
        return tooEarly(pattern, told(a, b))
      case 'read order':
        return tooLate(told(a, b))
      case 'write order':
        return overwritten(told(a, b))
      case 'time-out': {
        const ms = howAsked(trace, a)?.ms
        return `The wait of ${who(a)} for ${what}${at(a)} can time out${ms === undefined ? '' : ` after ${ms} ms`}, before it is notified.`
      }
      case 'try succeeds': {
        const when = isAcquire(trace.op[b]!) ? 'before' : 'after'
        return `${who(a)} can get ${what}${at(a)}, which it did not in the recorded run: ${when} ${who(b)} ${this.does(b)}${at(b)}.`
      }
      case 'try fails': {
        const until = howAsked(trace, a)?.how === TIMED ? 'its time is over' : 'it tries'
        const other = isAcquire(trace.op[b]!) ? `${who(b)} has it${at(b)}` : `${who(b)} has not posted it${at(b)}`
        return `${who(a)} can fail to get ${what}${at(a)}: ${other} when ${until}.`
      }
      case 'woken in time':
        return `The wait of ${who(a)} for ${what}${at(a)}, which timed out in the recorded run, can be ended by ${who(b)}${at(b)}.`
      case 'message order':
        return `${who(b)} can hear of ${who(a)}${at(a)} before it hears of ${who(c)}${at(c)}.`
      case 'wake-up order':
        return `${who(a)} can begin to wait for ${what}${at(a)} before ${who(b)} does${at(b)}, so that it is the one that is woken.`
      case 'deadlock':
        return inACircle(
          told(...next),
          next.map((e) => lockName(trace.targetName(e))),
        )
      case 'lost wake-up':
        return forEver({ ...told(next[0]!), at: [at(candidate.waits ?? next[0]! - 1)] })
      default:
        return `${pattern} on ${what}.`
    }
  }

  /** What the step of the event does, as a sentence says it, without what it does it to. */
  private does(e: EventId): string {
    const word = this.threads.steps.text(this.causality.task[e]!, this.threads.stepOf[e]!)
    const { verbs } = this.threads.steps.vocabulary
    return `${Object.hasOwn(verbs, word) ? verbs[word]! : word} it`
  }

  /** `thread 2 can read descriptor 5 (log.c:20) after thread 1 has closed it (log.c:41).` */
  private misuse(candidate: ThreadProposal, asked: Asked, what: string): string {
    const late = comesTooLate(candidate)
    const { refused, other } = refusedOf(asked, late)
    const [x, y] = late ? [candidate.events[1]!, candidate.events[0]!] : [candidate.events[0]!, candidate.events[1]!]
    const said = (e: EventId): string => this.trace.taskName(this.causality.task[e]!)
    const [verb, done] = [operationOf(refused).verb, operationOf(other).done]
    return `${said(x)} can ${verb} ${what}${placed(this.site(x))} ${late ? 'after' : 'before'} ${said(y)} has ${done} it${placed(this.site(y))}.`
  }

  why(candidate: ThreadProposal, pattern: ThreadPattern): string[] {
    const { trace, causality } = this
    const { events, next } = candidate
    const who = (e: EventId): string => trace.taskName(causality.task[e]!)
    switch (pattern) {
      case 'time-out': {
        const notify = events[2]
        return [
          `Nothing says how soon ${notify === undefined ? 'the notify comes' : `${who(notify)} comes to its notify${placed(this.site(notify))}`}: a busy machine is enough.`,
        ]
      }
      case 'message order':
        return [`Nothing makes ${who(events[0]!)} wait for ${who(events[2]!)}: messages and ends of threads arrive as they come.`]
      case 'wake-up order':
        return [`Nothing makes ${who(events[0]!)} wait for ${who(events[1]!)}, and a notify wakes the thread that has waited longest.`]
      case 'lost wake-up':
        return [
          `Nothing makes the notify wait until ${who(next[0]!)} waits, and nothing that ${who(next[0]!)} reads before tells it that the notify is past.`,
        ]
      case 'deadlock':
        return [`${next.map((e) => `${who(e)} holds ${this.held(e)}`).join(', ')}: no lock that all of them hold keeps the threads apart.`]
    }
    const apart = [...new Set(events.map((e) => causality.task[e]!))].map((t) => events.find((e) => causality.task[e] === t)!)
    const held = apart.map((e) => `${who(e)} holds ${this.held(e)}`).join(', ')
    const locks = apart.map((e) => this.locksHeld(e))
    const shared = locks[0]!.filter((lock) => locks.every((others) => others.includes(lock)))
    const apartBy = locks.every((names) => names.length === 0)
      ? 'no lock is held'
      : shared.length > 0 && apart.length > 1
        ? `all hold ${shared.join(' and ')}, but a lock does not decide which comes first`
        : `no lock is held by both (${held})`
    const lines = [
      `Nothing orders them: ${apartBy}, no ${this.threads.steps.vocabulary.words.message} goes from one to the other in time, and no value that was read says which came first.`,
    ]
    if (pattern === 'data race') lines.push(this.threads.steps.vocabulary.words.race)
    return lines
  }

  /** The locks held when the event is about to run, by name. */
  private locksHeld(e: EventId): string[] {
    const { sections, task } = this.causality
    return sections
      .openBefore(e, task[e]!)
      .map((s) => this.trace.tables.locks.at(sections.lock[s]!))
      .filter((name) => !name.startsWith('waiters of '))
      .map(lockName)
      .toReversed()
  }

  private held(e: EventId): string {
    const names = this.locksHeld(e)
    return names.length === 0 ? 'no lock' : names.join(' and ')
  }

  /** The events a report shows, the recorded order. */
  shown({ kind, events, next, pattern, waits }: ThreadProposal): EventId[] {
    const { causality } = this
    if (kind !== 'deadlock') return [...events].sort((a, b) => causality.rank[a]! - causality.rank[b]!)
    const takes = pattern === 'cycle' ? next.flatMap((e) => this.taken(e)) : [waits ?? next[0]! - 1]
    return [...new Set([...takes, ...events])].sort((a, b) => causality.rank[a]! - causality.rank[b]!)
  }

  /** Where the locks were taken that are held when the event is about to run. */
  private taken(e: EventId): EventId[] {
    const { sections, task } = this.causality
    return sections.openBefore(e, task[e]!).map((s) => sections.acquire[s]!)
  }

  /** `main` or `worker`. */
  role(e: EventId): string {
    return this.trace.taskName(this.causality.task[e]!).split(' ')[0]!
  }
}

const becomes = ({ timesOut, becomes: word }: ThreadProposal): { access?: string } =>
  timesOut ? { access: 'timed out' } : word === undefined ? {} : { access: word }
const cellOf = (lock: string): string => lock.replace(/^waiters of /, '')
const updates = (trace: Trace, e: EventId): boolean => trace.op[e + 1] === UPDATE
const lockName = (name: string): string => (name.startsWith('lock ') ? name : `lock ${name}`)
