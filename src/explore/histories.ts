/**
 * What tasks saw in all runs so far, as one tree: a node is what a task did up to a point, with the values it read. A task is deterministic given
 * these values. So if a task is at the same node in two runs, it did the same in both. The nodes at which the tasks ended identify the class of a
 * run.
 */
import { OPS, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type EventId, type TaskId, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED } from '../trace/values.ts'

export type NodeId = number

export class Histories {
  private readonly children = new Map<string, NodeId>()
  private readonly through: number[][] = []
  private readonly instead = new Map<string, NodeId>()

  /** Where a task begins. */
  root(task: string): NodeId {
    return this.child(NONE, task)
  }

  child(node: NodeId, what: string): NodeId {
    const key = `${node} ${what}`
    let found = this.children.get(key)
    if (found === undefined) {
      found = this.through.push([]) - 1
      this.children.set(key, found)
    }
    return found
  }

  /** The child, if a run was there. */
  known(node: NodeId, what: string): NodeId {
    const key = `${node} ${what}`
    return this.children.get(key) ?? this.instead.get(key) ?? NONE
  }

  /** A task that was to see this did something else with it, as every task will that has seen the same: a wait that finds another value does not wait. False if that was known. */
  turnsOut(node: NodeId, what: string, to: NodeId): boolean {
    if (this.known(node, what) !== NONE) return false
    this.instead.set(`${node} ${what}`, to)
    return true
  }

  /** A run was at the node. */
  visit(node: NodeId, run: number): void {
    this.through[node]!.push(run)
  }

  /** Runs that were at the node, in their order. */
  runsAt(node: NodeId): readonly number[] {
    return node === NONE ? [] : this.through[node]!
  }
}

/** One run, as places in the tree. */
export class Seen {
  /** After each event of the trace. */
  readonly after: Int32Array
  readonly roots: Int32Array
  private readonly taskByName = new Map<string, TaskId>()

  constructor(
    private readonly histories: Histories,
    readonly trace: Trace,
    /** The write that each read saw, or NONE. */
    readonly writer: Int32Array,
  ) {
    this.after = new Int32Array(trace.eventCount).fill(NONE)
    this.roots = Int32Array.from({ length: trace.taskCount }, (_, t) => histories.root(trace.taskName(t)))
    for (let t = 0; t < trace.taskCount; t++) this.taskByName.set(trace.taskName(t), t)
    const at = this.roots.slice()
    // In the order of the run: what a read without a value saw is told by where its writer was.
    for (const e of trace.recordedOrder()) {
      const t = trace.taskOf(e)
      at[t] = this.after[e] = histories.child(at[t]!, this.what(e, isRead(trace.op[e]!) ? this.valueOf(e) : ''))
    }
  }

  /** The event in words that hold in every run. */
  what(e: EventId, value: string): string {
    return `${OPS[this.trace.op[e]!]!.name} ${this.trace.targetName(e)} ${value}`
  }

  /** What a read saw, or a write wrote: its text, or where it came from if that is all that is known. */
  valueOf(e: EventId): string {
    const { trace, writer } = this
    const code = trace.value[e]!
    if (code !== NOT_OBSERVED) return trace.tables.values.textOf(code)
    if (isWrite(trace.op[e]!)) return `from ${this.after[e]}`
    return writer[e] === NONE ? 'start' : this.valueOf(writer[e]!)
  }

  before(e: EventId): NodeId {
    const t = this.trace.taskOf(e)
    return e === this.trace.taskStart[t] ? this.roots[t]! : this.after[e - 1]!
  }

  /** Where a task ended. */
  end(task: TaskId): NodeId {
    return this.at(task, this.length(task))
  }

  /** How many events the task has. */
  length(task: TaskId): number {
    return this.trace.taskStart[task + 1]! - this.trace.taskStart[task]!
  }

  /** After so many events of the task. */
  at(task: TaskId, count: number): NodeId {
    return count === 0 ? this.roots[task]! : this.after[this.trace.taskStart[task]! + count - 1]!
  }

  /** Tells the tree. */
  visit(run: number): void {
    for (const root of this.roots) this.histories.visit(root, run)
    for (const node of this.after) this.histories.visit(node, run)
  }

  /** How many events of the task, from its begin, another run has, too. */
  agrees(task: TaskId, other: Seen): number {
    const there = other.taskByName.get(this.trace.taskName(task))
    if (there === undefined) return 0
    let lo = 0
    let hi = Math.min(this.length(task), other.length(there))
    while (lo < hi) {
      const mid = (lo + hi + 1) >>> 1
      if (this.at(task, mid) === other.at(there, mid)) lo = mid
      else hi = mid - 1
    }
    return lo
  }

  /** The same, but events at places that one of the two runs does not show are passed over: which those are depends on how many tasks access them. */
  agreesInPart(task: TaskId, other: Seen): number {
    const there = other.taskByName.get(this.trace.taskName(task))
    if (there === undefined) return 0
    const [mine, theirs] = [this.shownBy(other, task), other.shownBy(this, there)]
    let [a, b] = [mine.next().value, theirs.next().value]
    while (a !== undefined && b !== undefined && this.words(a) === other.words(b)) [a, b] = [mine.next().value, theirs.next().value]
    return a === undefined ? this.length(task) : a - this.trace.taskStart[task]!
  }

  /** Events of the task at places that the other run shows, too. */
  private *shownBy({ trace: { tables } }: Seen, task: TaskId): Generator<EventId, undefined> {
    const { trace } = this
    for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
      const kind = OPS[trace.op[e]!]!.target
      const places =
        kind === 'location' ? tables.locations : kind === 'lock' ? tables.locks : kind === 'signal' ? tables.signals : undefined
      if (!places || places.find(trace.targetName(e)) !== NONE) yield e
    }
  }

  /** What these tasks saw, or all of them, in words that are the same in every process. */
  text(tasks: readonly TaskId[] = Array.from(this.roots, (_, t) => t)): string {
    const { trace } = this
    const of = (t: TaskId): string => {
      const words = [trace.taskName(t)]
      for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) words.push(this.words(e))
      return words.join('\n')
    }
    return tasks.map(of).sort().join('\n\n')
  }

  private words(e: EventId): string {
    return this.what(e, isRead(this.trace.op[e]!) ? this.wordOf(e) : '')
  }

  private wordOf(e: EventId): string {
    const { trace, writer } = this
    const code = trace.value[e]!
    if (code !== NOT_OBSERVED) return trace.tables.values.textOf(code)
    if (!isWrite(trace.op[e]!)) return writer[e] === NONE ? 'start' : this.wordOf(writer[e]!)
    const t = trace.taskOf(e)
    return `from ${trace.taskName(t)} ${e - trace.taskStart[t]!}`
  }

  /** The same for all runs in which every task saw the same. */
  get key(): string {
    const ends = Array.from(this.roots, (_, t) => this.end(t))
    return ends.sort((a, b) => a - b).join(' ')
  }
}
