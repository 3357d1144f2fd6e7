/**
 * Builds a trace: `add` events in any mix of tasks (each task's events in its own order), then `finish`. Columns grow per task, so that
 * `finish` can lay each task's events side by side without sorting.
 */
import { GrowInt32, GrowUint8, sharedInt32, sharedUint8 } from '../base/grow.ts'
import { Names } from '../base/names.ts'
import { BRANCH, OPS, type TargetKind } from './ops.ts'
import { NOT_OBSERVED, Values } from './values.ts'
import { NONE, Trace, type OrderKind, type TaskId } from './trace.ts'

class TaskColumns {
  op = new GrowUint8()
  target = new GrowInt32()
  value = new GrowInt32()
  site = new GrowInt32()
  stamp = new GrowInt32()
}

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
  private columns: (TaskColumns | undefined)[] = []
  private hasBranches = false
  private count = 0

  get eventCount(): number {
    return this.count
  }

  task(name: string): TaskId {
    const id = this.tasks.intern(name)
    this.columns[id] ??= new TaskColumns()
    return id
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

  add(task: TaskId, op: number, target: number = NONE, value: number = NOT_OBSERVED, site: number = NONE, stamp: number = this.count): void {
    const c = (this.columns[task] ??= new TaskColumns())
    c.op.push(op)
    c.target.push(target)
    c.value.push(value)
    c.site.push(site)
    c.stamp.push(stamp)
    if (op === BRANCH) this.hasBranches = true
    this.count++
  }

  finish(facts: FinishFacts = {}): Trace {
    const taskCount = this.tasks.size
    const taskStart = sharedInt32(taskCount + 1)
    for (let t = 0; t < taskCount; t++) taskStart[t + 1] = taskStart[t]! + (this.columns[t]?.op.length ?? 0)
    const n = taskStart[taskCount]!
    const op = sharedUint8(n)
    const target = sharedInt32(n)
    const value = sharedInt32(n)
    const site = sharedInt32(n)
    const stamp = sharedInt32(n)
    for (let t = 0; t < taskCount; t++) {
      const c = this.columns[t]
      if (!c) continue
      const at = taskStart[t]!
      op.set(c.op.view(), at)
      target.set(c.target.view(), at)
      value.set(c.value.view(), at)
      site.set(c.site.view(), at)
      stamp.set(c.stamp.view(), at)
      this.columns[t] = undefined // lets the parts go before the next task is copied
    }
    const { tasks, locations, locks, signals, queues, names, sites, values } = this
    return new Trace(
      { taskStart, op, target, value, site, stamp },
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
