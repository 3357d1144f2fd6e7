/**
 * The question of docs/model.md as an SMT-LIB text, in the manner of GPredict (Huang, Luo, Rosu: "GPredict: Generic Predictive Concurrency
 * Analysis", ICSE 2015, section III): a whole number per event is its place in the order. It differs in three things.
 *
 * - GPredict orders the whole trace. Here the number CUT ends the reordering: an event is in P when its number is below it, and locks,
 *   waits and reads count only inside.
 * - GPredict relies on the lock around wait and notify to keep one notify from serving two waits. Here that is said with a variable for each
 *   notify and wake it may serve, so that a notify without the lock is right too.
 * - Only what can matter is said: the events that the demanded ones may need (`Cone`), and among these the ones that a rule names.
 */
import type { Demands } from '../../witness/candidate.ts'
import type { Model } from '../../trace/model.ts'
import {
  ACQUIRE,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  OPS,
  RELEASE,
  TRY_SHARED_FAILED,
  UPDATE,
  WAKE,
  isAcquire,
  isRead,
  isRelease,
  isTry,
  isWrite,
} from '../../trace/ops.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../../trace/trace.ts'

/**
 * What Z3 should be opened with for these texts: its dense difference logic. On random traces of 300 events twice to three times as fast as
 * the default; on 1,000 events under `data` 1.4 s a question, where the default and QF_IDL took over 6 s.
 */
export const SMT_SETUP = '(set-option :smt.arith.solver 3)'

interface Section {
  readonly task: TaskId
  readonly acquire: EventId
  /** NONE when it stays open. */
  release: EventId
  readonly shared: boolean
}

/** What a read may see: these writes, or the initial value. */
interface Sources {
  readonly writes: readonly EventId[]
  readonly initial: boolean
}

/** What is the same for every question about one trace and model. */
/** `encode` gives a text that answers `sat`, `unsat` or `unknown`, then the value of CUT and of `e<n>` for the events that are named. */
export class SmtEncoder {
  readonly taskOf: Int32Array
  readonly forks: EventId[][]
  readonly sections: Section[][]
  readonly sectionAt = new Map<EventId, Section>()
  readonly writes: EventId[][]
  readonly wakes: EventId[][]
  readonly notifies: EventId[][]
  readonly joins: EventId[] = []
  readonly sources = new Map<EventId, Sources>()
  /** Reads and tries at the end of a task, which nothing in it can depend on, by task: they bind once the task is joined. */
  readonly tail = new Map<TaskId, readonly EventId[]>()
  /** By the dependent event that makes them bind. */
  readonly boundBy = new Map<EventId, EventId[]>()

  constructor(
    readonly trace: Trace,
    model: Model,
  ) {
    const lists = (count: number): EventId[][] => Array.from({ length: count }, () => [])
    const { tables } = trace
    this.taskOf = new Int32Array(trace.eventCount)
    this.forks = lists(trace.taskCount)
    this.sections = Array.from({ length: tables.locks.size }, () => [])
    this.writes = lists(tables.locations.size)
    this.wakes = lists(tables.signals.size)
    this.notifies = lists(tables.signals.size)
    for (let t = 0; t < trace.taskCount; t++) this.readTask(t)
    if (model !== 'sync') this.findSources(model)
  }

  encode(demands: Demands): string {
    return new Question(this, demands).text()
  }

  isSignalled(wake: EventId): boolean {
    return wake > this.trace.taskStart[this.taskOf[wake]!]! && isRelease(this.trace.op[wake - 1]!)
  }

  /** Sections that can make a try fail; of anything else none. */
  holders(e: EventId): Section[] {
    const { op, target } = this.trace
    if (!isTry(op[e]!)) return []
    return this.sections[target[e]!]!.filter((s) => s.task !== this.taskOf[e] && !(s.shared && op[e] === TRY_SHARED_FAILED))
  }

  private readTask(t: TaskId): void {
    const { trace } = this
    const open = new Map<number, { section: Section; depth: number }>() // by lock and mode
    let reads: EventId[] = []
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      const op = trace.op[e]!
      const target = trace.target[e]!
      this.taskOf[e] = t
      if (!trace.facts.branches || OPS[op]!.dependent) {
        if (reads.length > 0) this.boundBy.set(e, reads)
        reads = []
      }
      if (isRead(op) || isTry(op)) reads.push(e)
      else if (isWrite(op)) this.writes[target]!.push(e)
      else if (op === FORK) this.forks[target]!.push(e)
      else if (op === JOIN) this.joins.push(e)
      else if (op === WAKE) this.wakes[target]!.push(e)
      else if (op === NOTIFY || op === NOTIFY_ALL) this.notifies[target]!.push(e)
      else if (isAcquire(op)) {
        const key = target * 2 + (op === ACQUIRE ? 1 : 0)
        const held = open.get(key)
        if (held) held.depth++
        else {
          const section: Section = { task: t, acquire: e, release: NONE, shared: op !== ACQUIRE }
          open.set(key, { section, depth: 1 })
          this.sections[target]!.push(section)
          this.sectionAt.set(e, section)
        }
      } else if (isRelease(op)) {
        const key = target * 2 + (op === RELEASE ? 1 : 0)
        const held = open.get(key)
        if (held && --held.depth === 0) {
          held.section.release = e
          open.delete(key)
        }
      }
    }
    if (reads.length > 0) this.tail.set(t, reads)
  }

  private findSources(model: Model): void {
    const { trace } = this
    const byTask = trace.facts.order === 'task'
    if (byTask && model === 'data') throw new Error('the data model needs the recorded order')
    const recorded = new Map<EventId, EventId>()
    const initial = new Map<number, number>()
    if (!byTask) {
      const last = new Map<number, EventId>()
      for (const e of trace.recordedOrder()) {
        const x = trace.target[e]!
        if (isWrite(trace.op[e]!)) last.set(x, e)
        if (!isRead(trace.op[e]!)) continue
        const writer = last.get(x) ?? NONE
        recorded.set(e, writer)
        if (writer === NONE && trace.value[e] !== NOT_OBSERVED && !initial.has(x)) initial.set(x, trace.value[e]!)
      }
    }
    for (let r = 0; r < trace.eventCount; r++) {
      if (!isRead(trace.op[r]!)) continue
      const value = trace.value[r]!
      const x = trace.target[r]!
      const writer = recorded.get(r) ?? NONE
      if (model === 'data' || value === NOT_OBSERVED) {
        if (!byTask) this.sources.set(r, { writes: writer === NONE ? [] : [writer], initial: writer === NONE })
        continue
      }
      const same = this.writes[x]!.filter((w) => trace.value[w] === value || w === writer)
      this.sources.set(r, { writes: same, initial: byTask ? same.length === 0 : writer === NONE || initial.get(x) === value })
    }
  }
}

/**
 * The events that the demanded ones may need: a feasible P stays feasible when cut down to them. A prefix of every task, closed under: the
 * fork of a task, everything of a joined task, the release of a section (an acquire elsewhere may have waited for it), all that may
 * serve a wake, all that a binding read may see.
 */
export class Cone {
  /** How many events of each task. */
  readonly length: Int32Array
  private readonly todo: EventId[] = []

  constructor(
    private readonly all: SmtEncoder,
    demands: Demands,
    /** What an event may need beyond that. */
    private readonly alsoNeeds: (e: EventId) => readonly EventId[] = () => [],
  ) {
    this.length = new Int32Array(all.trace.taskCount)
    for (const [a, b] of demands.before) this.add([a, b])
    this.add(demands.include)
    for (const [a] of demands.either.flat()) if (a !== NONE && !demands.next.includes(a)) this.add([a])
    for (const e of demands.next) {
      const t = all.taskOf[e]!
      this.add(all.forks[t]!)
      if (e > all.trace.taskStart[t]!) this.add([e - 1])
      this.addSources(e)
    }
    for (let e = this.todo.pop(); e !== undefined; e = this.todo.pop()) this.close(e)
  }

  has(e: EventId): boolean {
    const t = this.all.taskOf[e]!
    return e - this.all.trace.taskStart[t]! < this.length[t]!
  }

  private add(events: readonly EventId[]): void {
    for (const e of events) {
      const t = this.all.taskOf[e]!
      const start = this.all.trace.taskStart[t]!
      while (this.length[t]! <= e - start) this.todo.push(start + this.length[t]!++)
    }
  }

  private close(e: EventId): void {
    const { trace, taskOf, forks } = this.all
    const target = trace.target[e]!
    if (e === trace.taskStart[taskOf[e]!]) this.add(forks[taskOf[e]!]!)
    switch (trace.op[e]!) {
      case JOIN:
        if (trace.taskStart[target + 1]! > trace.taskStart[target]!) this.add([trace.taskStart[target + 1]! - 1])
        break
      case WAKE:
        this.add(this.all.notifies[target]!)
        break
    }
    const section = this.all.sectionAt.get(e)
    if (section && section.release !== NONE) this.add([section.release])
    this.addSources(e)
    this.add(this.alsoNeeds(e))
  }

  private addSources(dependent: EventId): void {
    const { trace, tail, boundBy, sources } = this.all
    const joined = trace.op[dependent] === JOIN ? tail.get(trace.target[dependent]!) : undefined
    for (const r of [...(boundBy.get(dependent) ?? []), ...(joined ?? [])]) {
      this.add(sources.get(r)?.writes ?? [])
      for (const { acquire } of this.all.holders(r)) this.add([acquire])
    }
  }
}

export class Question {
  protected readonly lines: string[] = []
  private readonly flags: string[] = []
  private readonly named = new Set<EventId>()

  constructor(
    protected readonly all: SmtEncoder,
    private readonly demands: Demands,
    protected readonly cone = new Cone(all, demands),
  ) {}

  text(): string {
    this.sayDemands()
    this.sayRules()
    return [...this.declarations(), ...this.lines, '(check-sat)', this.getOrder(), ''].join('\n')
  }

  protected sayRules(): void {
    this.sayForks()
    this.sayJoins()
    this.sayLocks()
    this.sayWaits()
    this.sayReads()
    this.sayUpdates()
    this.sayProgramOrder()
  }

  /** Of all that was named. */
  protected declarations(): string[] {
    return [
      '(declare-const CUT Int)',
      ...this.events().map((e) => `(declare-const e${e} Int)`),
      ...this.flags.map((flag) => `(declare-const ${flag} Bool)`),
    ]
  }

  protected getOrder(): string {
    return `(get-value (CUT${this.events()
      .map((e) => ` e${e}`)
      .join('')}))`
  }

  private events(): EventId[] {
    return [...this.named].sort((a, b) => a - b)
  }

  private sayDemands(): void {
    const { trace, taskOf, forks } = this.all
    const { next, before, include, without } = this.demands
    for (const e of next) {
      const t = taskOf[e]!
      if (e > trace.taskStart[t]!) this.say(this.isIn(e - 1))
      for (const f of forks[t]!) this.say(this.isIn(f))
    }
    for (const e of [...next, ...without]) if (this.cone.has(e)) this.say(not(this.isIn(e)))
    for (const [a, b] of before) this.say(this.less(a, b), this.isIn(b))
    for (const e of include) this.say(this.isIn(e))
    for (const clause of this.demands.either) this.say(or(...clause.map(([a, b]) => this.follows(a, b))))
  }

  /** A pair of a clause: b comes after a or is not in P. An event that is not in P has a number behind all that are. */
  private follows(a: EventId, b: EventId): string {
    if (a === NONE || this.demands.next.includes(a)) return this.cone.has(b) ? not(this.isIn(b)) : 'true'
    return this.cone.has(b) ? and(this.isIn(a), this.less(a, b)) : this.isIn(a)
  }

  private sayForks(): void {
    const { trace, forks } = this.all
    for (const [t, events] of forks.entries()) {
      const first = trace.taskStart[t]!
      if (this.cone.length[t]! > 0) for (const f of events) this.say(implies(this.isIn(first), this.less(f, first)))
    }
  }

  private sayJoins(): void {
    const { trace, joins } = this.all
    for (const j of joins) {
      const joined = trace.target[j]!
      const end = trace.taskStart[joined + 1]!
      if (this.cone.has(j) && end > trace.taskStart[joined]!) this.say(implies(this.isIn(j), this.less(end - 1, j)))
    }
  }

  private sayLocks(): void {
    for (const sections of this.all.sections) {
      const here = sections.filter((s) => this.cone.has(s.acquire))
      for (const [i, s] of here.entries()) {
        for (const other of here.slice(0, i)) {
          if (other.task === s.task || (other.shared && s.shared)) continue
          this.say(implies(and(this.isIn(s.acquire), this.isIn(other.acquire)), or(this.ends(s, other), this.ends(other, s))))
        }
      }
    }
  }

  /** `first` was closed before `second` opened. */
  private ends(first: Section, second: Section): string {
    return first.release === NONE ? 'false' : this.less(first.release, second.acquire)
  }

  private sayWaits(): void {
    const { trace, notifies } = this.all
    for (const [g, wakes] of this.all.wakes.entries()) {
      const here = wakes.filter((w) => this.cone.has(w))
      const serves = (n: EventId, w: EventId): string => `serves_${n}_${w}`
      for (const w of here) {
        for (const n of notifies[g]!) {
          this.flags.push(serves(n, w))
          this.say(implies(serves(n, w), this.less(n, w)))
          if (this.all.isSignalled(w)) this.say(implies(serves(n, w), this.less(w - 1, n)))
        }
        this.say(implies(this.isIn(w), or(...notifies[g]!.map((n) => serves(n, w)))))
      }
      for (const n of notifies[g]!) {
        if (trace.op[n] === NOTIFY && here.length > 1) this.say(`((_ at-most 1) ${here.map((w) => serves(n, w)).join(' ')})`)
      }
    }
  }

  protected sayReads(): void {
    const next = new Set(this.demands.next)
    for (const [dependent, reads] of this.all.boundBy) {
      if (!next.has(dependent) && !this.cone.has(dependent)) continue
      for (const r of reads) {
        const right = this.isRight(r)
        this.say(next.has(dependent) ? right : implies(this.isIn(dependent), right))
      }
    }
    for (const join of this.all.joins) {
      if (!this.cone.has(join)) continue
      for (const r of this.all.tail.get(this.all.trace.target[join]!) ?? []) this.say(implies(this.isIn(join), this.isRight(r)))
    }
  }

  /** A read sees what it may, a try that failed is kept out. */
  private isRight(e: EventId): string {
    if (isTry(this.all.trace.op[e]!)) {
      const ways = this.all.holders(e).map((s) => and(this.less(s.acquire, e), s.release === NONE ? 'true' : this.less(e, s.release)))
      return or(...ways)
    }
    const sources = this.all.sources.get(e)
    return sources ? this.sees(e, sources) : 'true'
  }

  private sees(r: EventId, sources: Sources): string {
    const writes = this.all.writes[this.all.trace.target[r]!]!.filter((w) => this.cone.has(w))
    const choices = sources.writes.map((w) =>
      and(this.less(w, r), ...writes.filter((other) => other !== w).map((other) => or(this.less(other, w), this.less(r, other)))),
    )
    if (sources.initial) choices.push(and(...writes.map((w) => this.less(r, w))))
    return or(...choices)
  }

  /** No write of another task between the halves; one that is not in P has a number behind the update's. */
  private sayUpdates(): void {
    const { trace, taskOf } = this.all
    for (const writes of this.all.writes) {
      const here = writes.filter((w) => this.cone.has(w))
      for (const u of here) {
        if (trace.op[u] !== UPDATE) continue
        for (const w of here) if (taskOf[w] !== taskOf[u]) this.say(implies(this.isIn(u), or(this.less(w, u - 1), this.less(u, w))))
      }
    }
  }

  /** Only among the named events; said last, when all names are known. */
  private sayProgramOrder(): void {
    const events = this.events()
    for (let i = 1; i < events.length; i++) {
      if (this.all.taskOf[events[i - 1]!] === this.all.taskOf[events[i]!]) this.say(`(< e${events[i - 1]} e${events[i]})`)
    }
  }

  protected say(...formulas: string[]): void {
    for (const formula of formulas) if (formula !== 'true') this.lines.push(`(assert ${formula})`)
  }

  protected name(e: EventId): string {
    this.named.add(e)
    return `e${e}`
  }

  protected isIn(e: EventId): string {
    return `(< ${this.name(e)} CUT)`
  }

  /** Inside a task the answer is known, and the program order says it. */
  protected less(a: EventId, b: EventId): string {
    if (this.all.taskOf[a] === this.all.taskOf[b]) {
      this.name(a)
      this.name(b)
      return a < b ? 'true' : 'false'
    }
    return `(< ${this.name(a)} ${this.name(b)})`
  }
}

export const not = (formula: string): string => `(not ${formula})`

export function implies(condition: string, formula: string): string {
  return formula === 'true' ? 'true' : `(=> ${condition} ${formula})`
}

export function and(...formulas: string[]): string {
  const parts = formulas.filter((f) => f !== 'true')
  if (parts.includes('false')) return 'false'
  return parts.length === 0 ? 'true' : parts.length === 1 ? parts[0]! : `(and ${parts.join(' ')})`
}

export function or(...formulas: string[]): string {
  const parts = formulas.filter((f) => f !== 'false')
  if (parts.includes('true')) return 'true'
  return parts.length === 0 ? 'false' : parts.length === 1 ? parts[0]! : `(or ${parts.join(' ')})`
}
