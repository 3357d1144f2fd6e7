/**
 * Builds a trace: `add` events in any mix of tasks (each task's events in its own order), then `finish`. How the events
 * wait until then is in event-store.ts.
 */
import { Names } from '../base/names.ts'
import { EventStore } from './event-store.ts'
import { BRANCH, OPS, type TargetKind } from './ops.ts'
import { NOT_OBSERVED, Values } from './values.ts'
import { NONE, Trace, type OrderKind, type TaskId } from './trace.ts'

export interface FinishFacts {
  source?: string
  order?: OrderKind
  /** Taken from the events (is there a branch among them?) unless said. */
  branches?: boolean
  truncated?: string | undefined
}

export class TraceBuilder {
  readonly tasks = new Names()
  readonly locations = new Names()
  readonly locks = new Names()
  readonly signals = new Names()
  readonly queues = new Names()
  readonly names = new Names()
  readonly sites = new Names()
  readonly values = new Values()
  private readonly store = new EventStore()
  private hasBranches = false
  private count = 0

  get eventCount(): number {
    return this.count
  }

  task(name: string): TaskId {
    return this.tasks.intern(name)
  }

  /** The table that targets of this kind index, or undefined for ops without a target. */
  table(kind: TargetKind): Names | undefined {
    switch (kind) {
      case 'location':
        return this.locations
      case 'lock':
        return this.locks
      case 'task':
        return this.tasks
      case 'signal':
        return this.signals
      case 'queue':
        return this.queues
      case 'name':
        return this.names
      case 'none':
        return undefined
    }
  }

  /** Interns a target by the op's kind; NONE for ops without one. */
  targetOf(op: number, name: string): number {
    const kind = OPS[op]!.target
    return kind === 'task' ? this.task(name) : (this.table(kind)?.intern(name) ?? NONE)
  }

  add(
    task: TaskId,
    op: number,
    target: number = NONE,
    value: number = NOT_OBSERVED,
    site: number = NONE,
    stamp: number = this.count,
  ): void {
    this.store.add(task, op, target, value, site, stamp)
    if (op === BRANCH) this.hasBranches = true
    this.count++
  }

  finish(facts: FinishFacts = {}): Trace {
    const { columns } = this.store.finish(this.tasks.size)
    const { tasks, locations, locks, signals, queues, names, sites, values } = this
    return new Trace(
      columns,
      { tasks, locations, locks, signals, queues, names, sites, values },
      {
        source: facts.source ?? '(built)',
        order: facts.order ?? 'global',
        branches: facts.branches ?? this.hasBranches,
        truncated: facts.truncated,
      },
    )
  }
}
