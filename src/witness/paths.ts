/**
 * The independent checker for schedule-sensitive branches (docs/branches.md): walks an order event by event, gives every read the value of its
 * location, computes writes and decisions from that, and says whether all decisions before the asked one are as recorded while the asked one flips.
 * Forks, joins, locks, waits and updates follow the rules of check.ts, with code of its own. Like check.ts, it uses nothing of the deciders.
 */
import { Evaluation, RECORDED, type Given } from '../symbolic/evaluate.ts'
import { NO_NODE } from '../symbolic/expressions.ts'
import { same, UNKNOWN, type Known } from '../symbolic/known.ts'
import { outcomeIn, PIN_KIND, RecordedValues, type SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { ATOMIC_READ, ATOMIC_WRITE, BRANCH, READ, UPDATE, WRITE } from '../trace/ops.ts'
import { NONE, type EventId } from '../trace/trace.ts'
import type { Demands } from './candidate.ts'
import { Checker, type Refusal } from './check.ts'

/** What a read sees: a write, or NONE for what was there at the start. */
export interface Seen {
  readonly writer: EventId
  readonly value: Known
  /** The same write as in the recorded run, with the same value. */
  readonly asRecorded: boolean
}

export interface Flip {
  readonly outcome: Known
  readonly seen: SeenReads
}

/** What the reads of an order see. Orders are long and most reads see what they saw, so that only the others are kept. */
export class SeenReads {
  private readonly others = new Map<EventId, Seen>()

  constructor(
    private readonly recordedWriter: Int32Array,
    private readonly recorded: RecordedValues,
    private readonly task: Int32Array,
    private readonly taskStart: Int32Array,
    /** How many events of each task are in the order. */
    readonly done: Int32Array,
  ) {}

  set(read: EventId, writer: EventId, value: Known): void {
    this.others.set(read, { writer, value, asRecorded: false })
  }

  /** Undefined where the read is not in the order. */
  get(read: EventId): Seen | undefined {
    const other = this.others.get(read)
    if (other || !this.ran(read)) return other
    return { writer: this.recordedWriter[read]!, value: this.recorded.of(read), asRecorded: true }
  }

  /** For expressions. */
  given(read: EventId): Given {
    const other = this.others.get(read)
    return other ? other.value : this.ran(read) ? RECORDED : UNKNOWN
  }

  private ran(event: EventId): boolean {
    const t = this.task[event]!
    return event < this.taskStart[t]! + this.done[t]!
  }
}

export interface PathRefusal {
  readonly rule: Refusal['rule'] | 'kept' | 'flip'
  readonly event: EventId
  readonly sentence: string
}

export class PathChecker {
  private readonly rules: Checker
  private readonly recorded: RecordedValues
  private readonly values: Evaluation
  private readonly task: Int32Array
  /** Per read: the write it saw in the recorded run, NONE for the initial value; UNSEEN where nobody knows. */
  private readonly writer: Int32Array
  /** Per location: what was there at the start, as far as it is known. */
  private readonly initial: Known[]

  constructor(private readonly symbolic: SymbolicTrace) {
    const { trace } = symbolic
    this.rules = new Checker(trace, 'sync')
    this.recorded = new RecordedValues(trace)
    this.values = new Evaluation(symbolic.expressions)
    this.task = new Int32Array(trace.eventCount)
    for (let t = 0; t < trace.taskCount; t++) this.task.fill(t, trace.taskStart[t], trace.taskStart[t + 1])
    this.writer = new Int32Array(trace.eventCount).fill(UNSEEN)
    this.initial = Array.from({ length: trace.tables.locations.size }, () => UNKNOWN)
    if (trace.facts.order === 'global') this.readRecordedOrder()
    else this.readValuesAlone()
    symbolic.initial?.forEach((value, x) => {
      if (this.initial[x] === UNKNOWN) this.initial[x] = value
    })
  }

  /** Runs the order, then asks the branch, which must come next. */
  check(order: Int32Array, branch: EventId): Flip | PathRefusal {
    const { trace, of } = this.symbolic
    const refused = this.rules.check({ ...NO_DEMANDS, next: [branch] }, order)
    if (refused) return refused
    const seen = this.walk(order)
    if ('rule' in seen) return seen
    if (trace.op[branch] !== BRANCH || of[branch] === NO_NODE) return refuse('flip', branch, 'decides on nothing that could be different')
    const kind = trace.targetName(branch)
    const outcome = outcomeIn(this.values, kind, of[branch]!)
    if (kind === PIN_KIND || outcome === UNKNOWN) return refuse('flip', branch, 'cannot be told')
    if (same(outcome, this.recorded.of(branch))) return refuse('flip', branch, 'comes out as recorded')
    return { outcome, seen }
  }

  /** Does the order keep all rules and all decisions? For what is not about a branch. */
  keeps(order: Int32Array): PathRefusal | undefined {
    const refused = this.rules.check(NO_DEMANDS, order)
    if (refused) return refused
    const seen = this.walk(order)
    return 'rule' in seen ? seen : undefined
  }

  /** What every read sees. */
  private walk(order: Int32Array): SeenReads | PathRefusal {
    const { trace, of } = this.symbolic
    const { recorded, values } = this
    const seen = new SeenReads(this.writer, recorded, this.task, trace.taskStart, new Int32Array(trace.taskCount))
    values.begin((read) => seen.given(read))
    const lastWrite = new Int32Array(this.initial.length).fill(NONE)
    /** Writes whose value is another than recorded, with that value. */
    const changed = new Map<EventId, Known>()
    const standing = (x: number, writer: EventId): Known => {
      if (writer === NONE) return this.initial[x]!
      return changed.has(writer) ? changed.get(writer)! : recorded.of(writer)
    }
    // As long as every read sees what it saw, all values are as recorded: long orders begin with the run as it was.
    let astray = false
    for (let i = 0; i < order.length; i++) {
      const e = order[i]!
      const x = trace.target[e]!
      seen.done[this.task[e]!]!++
      switch (trace.op[e]) {
        case READ:
        case ATOMIC_READ: {
          const writer = lastWrite[x]!
          if (writer === this.writer[e] && !(astray && changed.has(writer))) break
          seen.set(e, writer, standing(x, writer))
          astray = true
          break
        }
        case WRITE:
        case ATOMIC_WRITE:
        case UPDATE:
          lastWrite[x] = e
          if (astray && of[e] !== NO_NODE && !values.isAsRecorded(of[e]!)) changed.set(e, values.of(of[e]!))
          break
        case BRANCH: {
          if (!astray || of[e] === NO_NODE || values.isAsRecorded(of[e]!)) break
          const outcome = outcomeIn(values, trace.targetName(e), of[e]!)
          if (outcome === UNKNOWN) return refuse('kept', e, 'may come out otherwise than recorded')
          if (!same(outcome, recorded.of(e))) return refuse('kept', e, 'comes out otherwise than recorded')
          break
        }
      }
    }
    return seen
  }

  private readRecordedOrder(): void {
    const { trace } = this.symbolic
    const last = new Int32Array(trace.tables.locations.size).fill(NONE)
    for (const e of trace.recordedOrder()) {
      const x = trace.target[e]!
      if (writes(trace.op[e]!)) last[x] = e
      else if (reads(trace.op[e]!)) {
        this.writer[e] = last[x]!
        if (last[x] === NONE && this.initial[x] === UNKNOWN) this.initial[x] = this.recorded.of(e)
      }
    }
  }

  /** Without a global order, a value that is read but never written is the one the location starts with. */
  private readValuesAlone(): void {
    const { trace } = this.symbolic
    const written = new Set<string>()
    for (let e = 0; e < trace.eventCount; e++) if (writes(trace.op[e]!)) written.add(`${trace.target[e]} ${trace.value[e]}`)
    for (let e = 0; e < trace.eventCount; e++) {
      const x = trace.target[e]!
      if (reads(trace.op[e]!) && this.initial[x] === UNKNOWN && !written.has(`${x} ${trace.value[e]}`))
        this.initial[x] = this.recorded.of(e)
    }
  }
}

const UNSEEN = -2

const NO_DEMANDS: Demands = { next: [], before: [], include: [], without: [], either: [] }

const reads = (op: number): boolean => op === READ || op === ATOMIC_READ
const writes = (op: number): boolean => op === WRITE || op === ATOMIC_WRITE || op === UPDATE

function refuse(rule: PathRefusal['rule'], event: EventId, sentence: string): PathRefusal {
  return { rule, event, sentence }
}
