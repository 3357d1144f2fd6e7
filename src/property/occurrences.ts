/** All events of a run that are some event of a declaration, in one pass: per declaration a column of places in the order, of events, and one of codes per parameter. */
import { GrowInt32 } from '../base/grow.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { EventDeclaration, Parameter } from './ast.ts'
import type { Run } from './instance.ts'
import { Matcher } from './matcher.ts'

/** The occurrences of one event declaration, in the order of the run. */
export class Column {
  /** Places in the order of the run. */
  readonly at = new GrowInt32()
  readonly events = new GrowInt32()
  /** For each parameter it binds (`binds`), what. */
  readonly codes: readonly GrowInt32[]

  constructor(readonly binds: readonly number[]) {
    this.codes = binds.map(() => new GrowInt32())
  }

  get length(): number {
    return this.events.length
  }

  event(row: number): EventId {
    return this.events.at(row)
  }
}

export interface Occurrences {
  readonly matcher: Matcher
  /** As the declarations given. */
  readonly columns: readonly Column[]
}

/** `only`: leave out declarations that nothing asks for, by index. */
export function occurrences(
  declared: { readonly events: readonly EventDeclaration[]; readonly parameters: readonly Parameter[] },
  run: Pick<Run, 'trace' | 'order'>,
  only?: (index: number) => boolean,
): Occurrences {
  const matcher = new Matcher(declared.events, declared.parameters, run.trace as Trace)
  const columns = matcher.events.map(({ binds }) => new Column(binds))
  const wanted = columns.map((_, i) => only === undefined || only(i))
  const { order } = run
  const { bound } = matcher
  for (let at = 0; at < order.length; at++) {
    const event = order[at]!
    const candidates = matcher.candidates(event)
    for (let c = 0; c < candidates.length; c++) {
      const index = candidates[c]!
      if (!wanted[index] || !matcher.match(index, event)) continue
      const column = columns[index]!
      column.at.push(at)
      column.events.push(event)
      for (let b = 0; b < column.binds.length; b++) column.codes[b]!.push(bound[column.binds[b]!]!)
    }
  }
  return { matcher, columns }
}
