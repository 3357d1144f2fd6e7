/** A run of which only the rows of a prediction are known: the computed order, or one that the recorded run no longer has. */
import type { OrderRow } from '../schedule/order.ts'
import { NONE } from '../trace/trace.ts'
import type { EventIndex, PictureBlock, PictureRun } from './picture.ts'
import type { Strings } from './strings.ts'

export interface RowsRun {
  readonly run: Omit<PictureRun, 'same'>
  /** By event: a name that is the same where rows show the same. */
  readonly keys: readonly string[]
}

export const keyOf = ({ turn, offLoop }: OrderRow, nth: number): string => `${turn.label} ${turn.nth} ${offLoop} ${nth}`

export function drawRows(rows: readonly OrderRow[], laneOf: (row: OrderRow) => number, strings: Strings): RowsRun {
  const blocks: PictureBlock[] = []
  const [does, what, value, site]: number[][] = [[], [], [], []]
  const keys: string[] = []
  const rowOf: number[] = []
  for (const [i, row] of rows.entries()) {
    const from = keys.length
    for (const [nth, access] of row.accesses.entries()) {
      does!.push(strings.of(access.access))
      what!.push(strings.of(access.location))
      value!.push(strings.of(access.value ?? ''))
      site!.push(strings.of(access.site))
      keys.push(keyOf(row, nth))
      rowOf.push(i + 1)
    }
    blocks.push({ lane: laneOf(row), name: strings.of(row.name.replace(/, outside the loop$/, '')), from, to: keys.length, at: row.at })
  }
  return {
    keys,
    run: {
      blocks,
      does: does!,
      what: what!,
      value: value!,
      site: site!,
      arrows: [],
      spans: [],
      flipped: keys.map((_, i) => i),
      rows: rowOf,
      cut: { before: 0, after: 0 },
    },
  }
}

/** By event the one of the other run with the same key; each has one at most. */
export function pairUp(keys: readonly string[], others: readonly string[]): readonly [EventIndex[], EventIndex[]] {
  const at = new Map(others.map((key, i) => [key, i]))
  const back: EventIndex[] = others.map(() => NONE)
  const there = keys.map((key, i) => {
    const j = at.get(key) ?? NONE
    if (j === NONE || back[j] !== NONE) return NONE
    back[j] = i
    return j
  })
  return [there, back]
}
