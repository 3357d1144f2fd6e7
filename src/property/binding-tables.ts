/** Occurrences by what they bind and by their place in the source, made when they are first asked for. */
import { NONE, type EventId } from '../trace/trace.ts'
import type { Run } from './instance.ts'
import { Keys } from './keys.ts'
import type { Matcher } from './matcher.ts'
import type { Column, Occurrences } from './occurrences.ts'
import { Regions } from './regions.ts'

/** Rows of a column with one key, by site. */
export type Groups = ReadonlyMap<number, readonly number[]>
const NO_GROUPS: Groups = new Map()

/** Occurrences by what they bind. */
export class Tables {
  readonly matcher: Matcher
  readonly keys = new Keys()
  readonly regions: Regions
  private readonly tables = new Map<string, Map<number, Map<number, number[]>>>()

  private places: Int32Array | undefined

  constructor(
    readonly found: Occurrences,
    private readonly run: Run,
  ) {
    this.matcher = found.matcher
    this.regions = new Regions(run, found, (name) => found.matcher.events.findIndex(({ declaration }) => declaration.name === name))
  }

  column(declaration: number): Column {
    return this.found.columns[declaration]!
  }

  /** Where an event stands in the order of the run. */
  placeOf(event: EventId): number {
    this.places ??= inverse(this.run)
    return this.places[event]!
  }

  groups(declaration: number, parameters: readonly number[], binding: ArrayLike<number>): Groups {
    const name = `${declaration}:${parameters.join()}`
    let table = this.tables.get(name)
    if (!table) this.tables.set(name, (table = this.build(declaration, parameters)))
    return table.get(this.keys.of(parameters, binding)) ?? NO_GROUPS
  }

  private build(declaration: number, parameters: readonly number[]): Map<number, Map<number, number[]>> {
    const column = this.column(declaration)
    const { site } = this.matcher.trace
    const table = new Map<number, Map<number, number[]>>()
    const binding = new Int32Array(this.matcher.parameters.length)
    for (let row = 0; row < column.length; row++) {
      for (let b = 0; b < column.binds.length; b++) binding[column.binds[b]!] = column.codes[b]!.at(row)
      const key = this.keys.of(parameters, binding)
      let groups = table.get(key)
      if (!groups) table.set(key, (groups = new Map()))
      const at = site[column.event(row)]!
      const rows = groups.get(at)
      if (rows) rows.push(row)
      else groups.set(at, [row])
    }
    return table
  }
}

function inverse({ order, trace }: Run): Int32Array {
  const at = new Int32Array(trace.eventCount).fill(NONE)
  for (let i = 0; i < order.length; i++) at[order[i]!] = i
  return at
}
