/** A trace for another thread: columns lie on shared buffers and are not copied; the tables of names are. */
import { Names } from '../base/names.ts'
import { Trace, type TaskColumn, type TraceColumns, type TraceFacts, type TraceTables } from './trace.ts'
import { Values } from './values.ts'

type TableName = Exclude<keyof TraceTables, 'values'>

export interface HandedOver {
  readonly columns: TraceColumns
  readonly recorded: Int32Array
  readonly ranks: Int32Array
  readonly tasks: TaskColumn
  readonly names: Readonly<Record<TableName, readonly string[]>>
  readonly values: readonly string[]
  readonly facts: TraceFacts
}

export function handOver(trace: Trace): HandedOver {
  const { taskStart, op, target, value, site, stamp, tables, facts } = trace
  const { tasks, locations, locks, signals, queues, names, sites, values } = tables
  return {
    columns: { taskStart, op, target, value, site, stamp },
    recorded: trace.recordedOrder(),
    ranks: trace.ranks(),
    tasks: trace.tasks(),
    names: {
      tasks: [...tasks],
      locations: [...locations],
      locks: [...locks],
      signals: [...signals],
      queues: [...queues],
      names: [...names],
      sites: [...sites],
    },
    values: [...values.table],
    facts,
  }
}

export function takeOver({ columns, recorded, ranks, tasks: taskOf, names, values, facts }: HandedOver): Trace {
  const { tasks, locations, locks, signals, queues, names: others, sites } = names
  const tables: TraceTables = {
    tasks: Names.of(tasks),
    locations: Names.of(locations),
    locks: Names.of(locks),
    signals: Names.of(signals),
    queues: Names.of(queues),
    names: Names.of(others),
    sites: Names.of(sites),
    values: new Values(Names.of(values)),
  }
  return new Trace(columns, tables, facts, { recorded, ranks, tasks: taskOf })
}
