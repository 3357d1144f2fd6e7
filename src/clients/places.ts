/**
 * The trace rows of one access. Tables, rows and fields are nested: `items`, `items[id=7]`, `items[id=7].stock`. As with maps (docs/event-loop.md), a
 * write of a part also writes `[*]` of everything around it, which whole reads and whole writes read. An access to a part also reads everything
 * around it, which whole writes write. Two writes of `[*]` do not conflict. Parts over different columns may be one row: a write of one writes `[*]`
 * of the other. Fields work the same way: a read of `items.stock` or `items[sku=a].stock` reads `[*]` of it, which is written by a write of the stock
 * of any row in it, and by anything that moves a row in or out.
 */
import { equalitiesOf, locationOf, overlaps } from '../resource/location.ts'
import { EVERYTHING, type Reading, type Touch } from '../resource/reading.ts'
import { READ, WRITE } from '../trace/ops.ts'

export interface Access {
  readonly op: number
  readonly name: string
}

/** Other parts that one may be the same row as. */
const MOST_OTHERS = 8

export class Places {
  /** Some request may touch everything: then everything is part of that. */
  private readonly everything: boolean
  private readonly parts = new Map<string, Map<string, Touch>>()
  private readonly others = new Map<string, readonly Touch[]>()
  /** By table or part: fields that some request names. */
  private readonly fields = new Map<string, Set<string>>()

  constructor(readings: readonly Reading[]) {
    this.everything = readings.some(({ touches }) => touches.some(({ whole }) => whole === EVERYTHING))
    for (const touch of readings.flatMap(({ touches }) => touches)) {
      const fields = setAt(this.fields, locationOf(touch))
      for (const field of [...(touch.fields ?? []), ...(touch.guards ?? [])]) fields.add(field)
      if (touch.part === undefined) continue
      let known = this.parts.get(touch.whole)
      if (known === undefined) this.parts.set(touch.whole, (known = new Map()))
      known.set(touch.part, touch)
    }
  }

  /** What it looks at. */
  reads(touch: Touch): Access[] {
    const names = touch.access === 'update' ? this.within(touch, touch.guards ?? touch.fields) : this.within(touch, touch.fields)
    return [...names.flatMap((name) => [read(name), read(`${name}[*]`)]), ...this.around(touch, names).map(read)]
  }

  /** What it changes. */
  writes(touch: Touch): Access[] {
    const names = this.within(touch, touch.fields)
    const around = this.around(touch, names)
    const marks = [...around.map((name) => `${name}[*]`), ...this.marksOf(touch)]
    return [
      ...names.flatMap((name) => (name === locationOf(touch) ? [write(name), read(`${name}[*]`)] : [write(name)])),
      ...around.map(read),
      ...marks.map(write),
    ]
  }

  /** `[*]` of what else has this row in it, and of the fields of those that change with it. */
  private marksOf(touch: Touch): string[] {
    // All of a table: everything in it reads the table itself.
    if (touch.part === undefined && (touch.fields === undefined || touch.members === true)) return []
    const table: Touch[] = touch.part === undefined ? [] : [{ whole: touch.whole, access: 'read' }]
    return [...table, ...this.othersOf(touch)].flatMap((other) => {
      const name = locationOf(other)
      const known = [...(this.fields.get(name) ?? [])]
      const keys = other.part === undefined ? undefined : equalitiesOf(other.part)
      const isMoved = touch.members === true || touch.fields === undefined || touch.fields.some((field) => keys?.has(field))
      const changed = isMoved ? known : known.filter((field) => touch.fields!.includes(field))
      return [...(other.part === undefined ? [] : [`${name}[*]`]), ...changed.map((field) => `${name}.${field}[*]`)]
    })
  }

  /** Fields, or the row, table or key itself. A row that comes or goes is all of it. */
  private within(touch: Touch, fields: readonly string[] | undefined): string[] {
    const name = locationOf(touch)
    return fields === undefined || fields.length === 0 || touch.members === true ? [name] : fields.map((field) => `${name}.${field}`)
  }

  private around(touch: Touch, names: readonly string[]): string[] {
    const own = locationOf(touch)
    const found = names.includes(own) ? [] : [own]
    if (touch.part !== undefined) found.push(touch.whole)
    if (this.everything && touch.whole !== EVERYTHING) found.push(EVERYTHING)
    return found
  }

  private othersOf(touch: Touch): readonly Touch[] {
    const name = locationOf(touch)
    let found = this.others.get(name)
    if (found === undefined) {
      const all = [...(this.parts.get(touch.whole)?.values() ?? [])]
      found = all.filter((other) => other.part !== touch.part && overlaps(touch, other)).slice(0, MOST_OTHERS)
      this.others.set(name, found)
    }
    return found
  }
}

function setAt(map: Map<string, Set<string>>, key: string): Set<string> {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = new Set()))
  return found
}

const read = (name: string): Access => ({ op: READ, name })
const write = (name: string): Access => ({ op: WRITE, name })
