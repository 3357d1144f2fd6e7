/**
 * Merges the joined trace of threads (src/trace/join) with the paths file of each thread (src/symbolic/paths.ts): branches follow the step they came
 * after, and writes and branches have expressions over the reads of cells. A thread is one task here: its own turns keep their order, and what it
 * reads from its own heap is what it wrote there before, or the initial value. A read without a path went to code that is not followed; a pin after
 * it keeps its value.
 */
import { GrowInt32 } from '../../base/grow.ts'
import { Names } from '../../base/names.ts'
import { freeReads } from '../../causal/free-reads.ts'
import { CONST, Expressions, INPUT, NO_NODE, OPAQUE, type Node } from '../../symbolic/expressions.ts'
import { outcomeFor } from '../../symbolic/outcome.ts'
import { same, UNKNOWN, type Known } from '../../symbolic/known.ts'
import type { Paths } from '../../symbolic/paths.ts'
import { PIN_KIND, valueOfCode, type SymbolicTrace } from '../../symbolic/symbolic-trace.ts'
import type { Joined } from '../../trace/joined.ts'
import { ACQUIRE_SHARED, BRANCH, isAccess, isRead, isRelease, isWrite, PIN, WAKE } from '../../trace/ops.ts'
import { NONE, Trace, type EventId, type TaskId, type TraceTables } from '../../trace/trace.ts'
import { NOT_OBSERVED, Values } from '../../trace/values.ts'

export interface Woven extends SymbolicTrace {
  readonly stepOf: Int32Array
  /** Of a branch: its row in the file of its thread. NONE for everything else. */
  readonly rowOf: Int32Array
  /** By task, where the thread has one. */
  readonly paths: readonly (Paths | undefined)[]
}

/** By location: size and sort of what it is accessed as, such as `4i`; MIXED where threads differ in it. */
type Views = Map<number, string>
const MIXED = ''

/** What is to stand behind a step. */
interface Inserted {
  readonly step: number
  readonly kind: string
  readonly value: number
  readonly site: number
  readonly node: Node
  readonly row: number
}

export function woven({ trace: joined, steps }: Joined, paths: readonly Paths[]): Woven {
  const tables: TraceTables = {
    ...joined.tables,
    names: Names.of(joined.tables.names),
    sites: Names.of(joined.tables.sites),
    values: new Values(Names.of(joined.tables.values.table)),
  }
  const byTask = Array.from({ length: joined.taskCount }, (_, t) => paths.find((p) => p.name === joined.taskName(t)))
  const expressions = new Expressions()
  const columns = { op: new GrowInt32(), target: new GrowInt32(), value: new GrowInt32(), site: new GrowInt32(), stamp: new GrowInt32() }
  const [stepOf, of, rowOf] = [new GrowInt32(), new GrowInt32(), new GrowInt32()]
  const taskStart = new Int32Array(joined.taskCount + 1)
  const views: Views = new Map()
  const weavers = byTask.map((of, t) => new ThreadWeaver(joined, steps.stepOf, t, of, expressions, tables, views))
  for (const [t, thread] of weavers.entries()) {
    const shift = thread.places(columns.op.length)
    const { nodeOf, inserted } = thread.weave(shift)
    let next = 0
    const [from, to] = [joined.taskStart[t]!, joined.taskStart[t + 1]!]
    for (let e = from; e <= to; e++) {
      for (; next < inserted.length && thread.slotOf(inserted[next]!.step) <= e; next++) {
        const { kind, value, site, node, row, step } = inserted[next]!
        columns.op.push(BRANCH)
        columns.target.push(tables.names.intern(kind))
        columns.value.push(value)
        columns.site.push(site)
        columns.stamp.push(joined.stamp[Math.max(e - 1, from)]!)
        stepOf.push(step)
        of.push(node)
        rowOf.push(row)
      }
      if (e === to) break
      columns.op.push(joined.op[e]!)
      columns.target.push(joined.target[e]!)
      columns.value.push(joined.value[e]!)
      columns.site.push(joined.site[e]!)
      columns.stamp.push(joined.stamp[e]!)
      stepOf.push(steps.stepOf[e]!)
      of.push(nodeOf.get(e) ?? NO_NODE)
      rowOf.push(NONE)
    }
    taskStart[t + 1] = columns.op.length
  }
  const { op, target, value, site, stamp } = columns
  const trace = new Trace(
    {
      taskStart,
      op: Uint8Array.from(op.view()),
      target: target.finish(),
      value: value.finish(),
      site: site.finish(),
      stamp: stamp.finish(),
    },
    tables,
    { ...joined.facts, branches: true },
  )
  return { trace, expressions, of: of.finish(), initial: zeros(trace), stepOf: stepOf.finish(), rowOf: rowOf.finish(), paths: byTask }
}

/** The reads of the joined trace that are free (causal/free-reads.ts), by event of it. */
export function freeInJoined(joined: Joined, paths: readonly Paths[]): Uint8Array {
  const weave = woven(joined, paths)
  const free = freeReads(weave)
  const out = new Uint8Array(joined.trace.eventCount)
  let at = 0
  // What was woven in are branches; the joined trace has none.
  for (let e = 0; e < free.length; e++) if (weave.trace.op[e] !== BRANCH) out[at++] = free[e]!
  return out
}

/** Shared memory begins with zeros. */
function zeros(trace: Trace): Known[] {
  const initial: Known[] = Array.from({ length: trace.tables.locations.size }, () => 0)
  for (let e = 0; e < trace.eventCount; e++) {
    if (!isRead(trace.op[e]!) && !isWrite(trace.op[e]!)) continue
    if (typeof valueOfCode(trace, trace.value[e]!) === 'bigint') initial[trace.target[e]!] = 0n
  }
  return initial
}

/** One thread. */
class ThreadWeaver {
  private readonly from: EventId
  private readonly to: EventId
  /** By step: the first event of it. */
  private readonly firstOf = new Map<number, EventId>()
  /** Rows with an expression that depends on cells. */
  private readonly rows: number[] = []
  /** Steps of which a path tells. */
  private readonly told = new Set<number>()
  /** Per row of a read: the row of the thread's own write that it saw, where there is one. */
  private readonly ownWriter = new Map<number, number>()
  private readonly mapped: Int32Array
  /** Which nodes have an input below them: the others are constants. */
  private readonly depends: Uint8Array

  constructor(
    private readonly joined: Trace,
    private readonly stepOf: Int32Array,
    task: TaskId,
    private readonly paths: Paths | undefined,
    private readonly expressions: Expressions,
    private readonly tables: TraceTables,
    private readonly views: Views,
  ) {
    this.from = joined.taskStart[task]!
    this.to = joined.taskStart[task + 1]!
    for (let e = this.to - 1; e >= this.from; e--) this.firstOf.set(stepOf[e]!, e)
    const size = paths?.expressions.size ?? 0
    this.mapped = new Int32Array(size).fill(NO_NODE)
    this.depends = new Uint8Array(size)
    if (paths) this.look(paths)
  }

  /** The event before which something stands that comes after the step. Nothing may come between a release and the wake-up that ends its wait. */
  slotOf(step: number): EventId {
    const { joined, from, to } = this
    let lo = from
    let hi = to
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (this.stepOf[mid]! <= step) lo = mid + 1
      else hi = mid
    }
    while (lo < to && lo > from && (joined.op[lo] === WAKE || isRelease(joined.op[lo]!)) && isRelease(joined.op[lo - 1]!)) lo--
    return lo
  }

  /** Where the events of the thread will stand, if its first one stands there. */
  places(start: number): (e: EventId) => EventId {
    const { from, to } = this
    const place = new Int32Array(to - from)
    const slots = this.insertedSteps().map((step) => this.slotOf(step))
    let at = start
    let next = 0
    for (let e = from; e < to; e++) {
      for (; next < slots.length && slots[next]! <= e; next++) at++
      place[e - from] = at++
    }
    return (e) => place[e - from]!
  }

  weave(placeOf: (e: EventId) => EventId): { nodeOf: Map<EventId, Node>; inserted: Inserted[] } {
    const { joined, paths, expressions, tables } = this
    const nodeOf = new Map<EventId, Node>()
    const inserted: Inserted[] = []
    if (paths) this.copyNodes(paths, placeOf)
    for (const step of this.silentSteps()) {
      // All that was read in the step keeps its value.
      const reads = this.eventsOf(step, isRead).map((e) => expressions.input(placeOf(e), valueOfCode(joined, joined.value[e]!)))
      inserted.push({
        step,
        kind: PIN_KIND,
        value: tables.values.codeOf(true),
        site: NONE,
        node: expressions.opaque(true, reads),
        row: NONE,
      })
    }
    if (!paths) return { nodeOf, inserted }
    for (let row = 0; row < paths.trace.eventCount; row++) {
      if (!isWrite(paths.trace.op[row]!) || !paths.isCell(row) || !this.dependsOnCells(paths.ofRow(row))) continue
      const node = this.mapped[paths.ofRow(row)]!
      const events = this.eventsOf(paths.stepOf(row), isWrite)
      for (const e of events) {
        // A part of what was written is not followed.
        const whole = this.isWhole(e, expressions.recordedOf(node))
        nodeOf.set(e, whole ? node : expressions.opaque(valueOfCode(joined, joined.value[e]!), [node]))
      }
    }
    for (const row of this.rows) {
      const isPin = paths.trace.op[row] !== BRANCH
      const node = this.mapped[paths.ofRow(row)]!
      const kind = isPin ? PIN_KIND : paths.kindOf(row)
      // Receivers and indexes have labels of their own in the file; here the value itself is compared.
      const outcome = isPin ? expressions.recordedOf(node) : outcomeFor(kind, expressions.resultOf(node))
      const site = paths.siteOf(row)
      inserted.push({
        step: paths.stepOf(row),
        kind,
        value: outcome === UNKNOWN ? NOT_OBSERVED : tables.values.codeOf(outcome),
        site: site === '' ? NONE : tables.sites.intern(site),
        node,
        row,
      })
    }
    inserted.sort((a, b) => a.step - b.step)
    return { nodeOf, inserted }
  }

  /** First pass: what depends on cells, and what each read of the own heap saw. */
  private look(paths: Paths): void {
    const { trace, expressions } = paths
    const { op, target } = trace
    const lastWrite = new Map<number, number>()
    for (let row = 0; row < op.length; row++) {
      const o = op[row]!
      if (paths.isCell(row) && isAccess(o)) this.tell(paths, row)
      if (isWrite(o)) lastWrite.set(target[row]!, row)
      else if (isRead(o)) {
        const writer = lastWrite.get(target[row]!)
        if (writer !== undefined) this.ownWriter.set(row, writer)
      }
    }
    for (let node = 0; node < expressions.size; node++) {
      const operator = expressions.operatorOf(node)
      if (operator === INPUT) this.depends[node] = Number(this.inputDepends(paths, expressions.keyOf(node)))
      else if (operator !== CONST)
        for (const operand of expressions.operandsOf(node)) if (this.depends[operand] === 1) this.depends[node] = 1
    }
    for (let row = 0; row < op.length; row++) {
      const decides = op[row] === BRANCH || op[row] === PIN
      if (decides && this.dependsOnCells(paths.ofRow(row)) && paths.stepOf(row) !== NONE) this.rows.push(row)
    }
  }

  private tell(paths: Paths, row: number): void {
    const step = paths.stepOf(row)
    // What was read where nobody saw it is told of only in part: a wait that found another value.
    if (!isRead(paths.trace.op[row]!) || paths.valueOf(row) !== UNKNOWN) this.told.add(step)
    const view = /:\w+$/.exec(paths.trace.targetName(row))?.[0] ?? MIXED
    for (const e of this.eventsOf(step, isAccess)) {
      const location = this.joined.target[e]!
      this.views.set(location, (this.views.get(location) ?? view) === view ? view : MIXED)
    }
  }

  /** Is the event all of the access, and what it says the value that the program sees? */
  private isWhole(e: EventId, value: Known): boolean {
    return this.views.get(this.joined.target[e]!) !== MIXED && same(valueOfCode(this.joined, this.joined.value[e]!), value)
  }

  private inputDepends(paths: Paths, row: number): boolean {
    if (this.readsOf(paths, row).length > 0) return true
    const writer = this.ownWriter.get(row)
    return writer !== undefined && this.sawOwn(paths, row, writer) && this.dependsOnCells(paths.ofRow(writer))
  }

  /** The events that a row of a read is; none where it is of the thread's own memory. */
  private readsOf(paths: Paths, row: number): EventId[] {
    return paths.isCell(row) ? this.eventsOf(paths.stepOf(row), isRead) : []
  }

  /** Is what was read what was written there last? Otherwise somebody unseen wrote it. */
  private sawOwn(paths: Paths, row: number, writer: number): boolean {
    return same(paths.valueOf(row), paths.valueOf(writer))
  }

  private dependsOnCells(node: Node): boolean {
    return node !== NO_NODE && this.depends[node] === 1
  }

  private eventsOf(step: number, wanted: (op: number) => boolean): EventId[] {
    const events: EventId[] = []
    for (let e = this.firstOf.get(step) ?? this.to; e < this.to && this.stepOf[e] === step; e++)
      if (wanted(this.joined.op[e]!)) events.push(e)
    return events
  }

  /** Steps that read cells of which no path tells, and waits: whether a thread sleeps is no matter of values alone. */
  private silentSteps(): number[] {
    const { joined, stepOf } = this
    const steps: number[] = []
    let waits = NONE
    for (let e = this.from; e < this.to; e++) {
      const step = stepOf[e]!
      if (joined.op[e] === ACQUIRE_SHARED) waits = step
      if (isRead(joined.op[e]!) && (waits === step || !this.told.has(step)) && steps.at(-1) !== step) steps.push(step)
    }
    return steps
  }

  private insertedSteps(): number[] {
    return [...this.silentSteps(), ...this.rows.map((row) => this.paths!.stepOf(row))].sort((a, b) => a - b)
  }

  /** Second pass: the same expressions, over the reads of the woven trace. */
  private copyNodes(paths: Paths, placeOf: (e: EventId) => EventId): void {
    const { expressions: from } = paths
    const { expressions: to, mapped, joined } = this
    const input = (e: EventId): Node => to.input(placeOf(e), valueOfCode(joined, joined.value[e]!))
    const operandOf = (node: Node): Node => {
      if (mapped[node] === NO_NODE) mapped[node] = constant(to, from.recordedOf(node))
      return mapped[node]!
    }
    for (let node = 0; node < from.size; node++) {
      if (this.depends[node] === 0) continue
      const operator = from.operatorOf(node)
      if (operator !== INPUT) {
        const operands = Array.from(from.operandsOf(node), operandOf)
        mapped[node] = operator === OPAQUE ? to.opaque(from.recordedOf(node), operands) : to.make(from.nameOf(node), operands)
        continue
      }
      const row = from.keyOf(node)
      const events = this.readsOf(paths, row)
      if (events.length === 0) mapped[node] = mapped[paths.ofRow(this.ownWriter.get(row)!)]!
      else {
        const inputs = events.map(input)
        // Several pieces, or a part of what was read: not followed.
        const whole = inputs.length === 1 && this.isWhole(events[0]!, from.recordedOf(node))
        mapped[node] = whole ? inputs[0]! : to.opaque(from.recordedOf(node), inputs)
      }
    }
  }
}

const constant = (expressions: Expressions, value: Known): Node =>
  value === UNKNOWN ? expressions.opaque(UNKNOWN, []) : expressions.constant(value)
