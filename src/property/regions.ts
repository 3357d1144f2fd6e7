/**
 * Atomic regions: which end belongs to which begin. The matching events of one task are paired like brackets; those that bind the same parameter to
 * different values are independent of each other. On an event loop an end belongs to the last open begin that leads to it.
 */
import { NONE, type EventId } from '../trace/trace.ts'
import type { Run } from './instance.ts'
import type { Alternative } from './normal.ts'
import type { Column, Occurrences } from './occurrences.ts'

/** The end of the region that an event begins; absent where it did not end. */
export type Mates = ReadonlyMap<EventId, EventId>

export class Regions {
  private readonly known = new Map<string, Mates>()

  constructor(
    private readonly run: Pick<Run, 'trace' | 'order' | 'sameTask'>,
    private readonly found: Occurrences,
    private readonly indexOf: (name: string) => number,
  ) {}

  /** By the names of the two event declarations. */
  mates(begin: string, end: string): Mates {
    const key = `${begin} ${end}`
    let mates = this.known.get(key)
    if (!mates) this.known.set(key, (mates = this.pairUp(this.found.columns[this.indexOf(begin)]!, this.found.columns[this.indexOf(end)]!)))
    return mates
  }

  private pairUp(begins: Column, ends: Column): Mates {
    const { run } = this
    const shared = begins.binds.flatMap((parameter, b) =>
      ends.binds.includes(parameter) ? [[b, ends.binds.indexOf(parameter)] as const] : [],
    )
    const open = new Map<string, EventId[]>()
    const stackOf = (column: Column, row: number, side: 0 | 1): EventId[] => {
      const event = column.event(row)
      let key = String(run.trace.taskOf(event))
      for (const both of shared) key += `,${column.codes[both[side]]!.at(row)}`
      let stack = open.get(key)
      if (!stack) open.set(key, (stack = []))
      return stack
    }
    const mates = new Map<EventId, EventId>()
    for (let b = 0, e = 0; b < begins.length || e < ends.length;) {
      const beginNext = b < begins.length && (e >= ends.length || begins.at.at(b) < ends.at.at(e))
      if (beginNext) {
        stackOf(begins, b, 0).push(begins.event(b++))
        continue
      }
      const end = ends.event(e)
      const stack = stackOf(ends, e++, 1)
      const mine = stack.findLastIndex((begin) => run.sameTask(begin, end))
      if (mine < 0) continue
      mates.set(stack[mine]!, end)
      stack.splice(mine, 1)
    }
    return mates
  }
}

/** Per place that ends a region the place that begins it, NONE for the others. */
export const beginsOf = ({ slots }: Alternative): number[] =>
  slots.map(({ region }) =>
    region?.edge === 'end' ? slots.findIndex((slot) => slot.region?.edge === 'begin' && slot.region.name === region.name) : NONE,
  )
