/**
 * What a read can see in some order: writes that need not come after it, and are not hidden by one that must come between (TAME, section 4,
 * "Optimizations"). Only forks, joins and messages count here; locks and values are left to the deciders. Also, which reads can see another value at
 * all.
 */
import { Causality } from '../../causal/causality.ts'
import { MustOrder } from '../../causal/must-order.ts'
import { NO_NODE } from '../../symbolic/expressions.ts'
import { InputSets } from '../../symbolic/input-sets.ts'
import { same, UNKNOWN, type Known } from '../../symbolic/known.ts'
import { RecordedValues, type SymbolicTrace } from '../../symbolic/symbolic-trace.ts'
import { isRead } from '../../trace/ops.ts'
import { NONE, type EventId } from '../../trace/trace.ts'

/** More writes than this are not looked at one by one. */
const MOST_WRITES = 400

export interface Sights {
  readonly writes: readonly EventId[]
  /** What was there at the start. */
  readonly initial: boolean
  /** There are more. */
  readonly cut: boolean
}

export class Sources {
  readonly causality: Causality
  readonly must: MustOrder
  readonly inputs: InputSets
  readonly recorded: RecordedValues
  /** Per location, where it is known. */
  readonly initial: readonly Known[]
  private readonly sights = new Map<EventId, Sights>()
  private readonly varying = new Map<EventId, boolean>()

  constructor(readonly symbolic: SymbolicTrace) {
    const { trace } = symbolic
    this.causality = new Causality(trace, 'sync')
    this.must = new MustOrder(this.causality)
    this.inputs = new InputSets(symbolic.expressions)
    this.recorded = new RecordedValues(trace)
    this.initial = this.initialValues()
  }

  of(read: EventId): Sights {
    let sights = this.sights.get(read)
    if (!sights) this.sights.set(read, (sights = this.look(read)))
    return sights
  }

  /** The value that was written there, or was there at the start. */
  valueOf(location: number, write: EventId): Known {
    return write === NONE ? this.initial[location]! : this.recorded.of(write)
  }

  /** Can the read see another value than recorded, through another write or because the write's own inputs can? */
  varies(read: EventId): boolean {
    const known = this.varying.get(read)
    if (known !== undefined) return known
    const { of } = this.symbolic
    const seen = new Set([read])
    const todo = [read]
    for (let r = todo.pop(); r !== undefined; r = todo.pop()) {
      if (this.varying.get(r) === true || this.seesOther(r)) {
        this.varying.set(read, true)
        return true
      }
      for (const w of this.of(r).writes) {
        if (of[w] === NO_NODE) continue
        for (const input of this.inputs.of(of[w]!)) {
          if (seen.has(input) || this.varying.get(input) === false) continue
          seen.add(input)
          todo.push(input)
        }
      }
    }
    for (const r of seen) this.varying.set(r, false)
    return false
  }

  private seesOther(read: EventId): boolean {
    const { trace } = this.symbolic
    const { writes, initial, cut } = this.of(read)
    if (cut) return true
    const value = this.recorded.of(read)
    const x = trace.target[read]!
    const differs = (other: Known): boolean => other !== UNKNOWN && !same(other, value)
    return (initial && differs(this.initial[x]!)) || writes.some((w) => differs(this.recorded.of(w)))
  }

  private look(read: EventId): Sights {
    const { causality, must } = this
    const { trace, task } = causality
    const all = causality.writes.of(trace.target[read]!)
    const own = task[read]!
    const writes: EventId[] = []
    /** Of each task the last write that must come before. */
    const before: EventId[] = []
    let cut = false
    for (let i = 0; i < all.length;) {
      const t = task[all[i]!]!
      const end = trace.taskStart[t + 1]!
      const bound = t === own ? read : trace.taskStart[t]! + must.count(read, t)
      let last = NONE
      for (; i < all.length && all[i]! < bound && all[i]! < end; i++) last = all[i]!
      if (last !== NONE) before.push(last)
      for (; i < all.length && all[i]! < end; i++) {
        if (t === own || must.before(read, all[i]!)) continue
        if (writes.length < MOST_WRITES) writes.push(all[i]!)
        else cut = true
      }
    }
    for (const w of before) if (!before.some((other) => must.before(w, other))) writes.push(w)
    return { writes, initial: before.length === 0, cut }
  }

  private initialValues(): Known[] {
    const { causality, recorded } = this
    const { trace, writer, global } = causality
    const initial: Known[] = Array.from({ length: trace.tables.locations.size }, () => UNKNOWN)
    const written = new Set<string>()
    if (!global) for (const w of causality.writes.events) written.add(`${trace.target[w]} ${trace.value[w]}`)
    for (let e = 0; e < trace.eventCount; e++) {
      const x = trace.target[e]!
      if (!isRead(trace.op[e]!) || initial[x] !== UNKNOWN) continue
      if (global ? writer[e] === NONE : !written.has(`${x} ${trace.value[e]}`)) initial[x] = recorded.of(e)
    }
    return initial.map((value, x) => (value === UNKNOWN ? (this.symbolic.initial?.[x] ?? UNKNOWN) : value))
  }
}
