/**
 * The lanes of a picture, for both of its runs. Chains and threads that the rows of a finding name come first, in the order of the letters that the
 * terminal gives them. Other chains are drawn with the one they belong to: a chain that a lettered one began with that one; what leads to a single
 * letter with that one, too; what leads to several in `main`. A few of the rest have lanes of their own.
 */
import type { OrderRow } from '../schedule/order.ts'
import type { LoopView } from '../causal/loop/turns.ts'
import type { OpId } from '../trace/loop.ts'
import { NONE } from '../trace/trace.ts'
import type { LoopSketch } from './loop.ts'
import type { PictureLane } from './picture.ts'
import type { EventPlace } from './sketch.ts'
import type { Strings } from './strings.ts'
import type { ThreadSketch } from './threads.ts'

const MOST_OTHERS = 6

interface Lane extends PictureLane {
  /** Lanes are drawn by rank. */
  readonly rank: number
}

/** Numbers are those in which lanes came up; `finish` says which lane of the picture each is. */
class LaneTable {
  readonly lanes: Lane[] = []
  private readonly byKey = new Map<string, number>()

  constructor(private readonly strings: Strings) {}

  has(key: string): boolean {
    return this.byKey.has(key)
  }

  of(key: string, make: () => { name: string; kind: PictureLane['kind']; from: string; rank: number }): number {
    let number = this.byKey.get(key)
    if (number === undefined) {
      const { name, kind, from, rank } = make()
      number = this.lanes.length
      this.byKey.set(key, number)
      this.lanes.push({ name: this.strings.of(name), kind, from: this.strings.of(from), rank })
    }
    return number
  }

  finish(): { lanes: PictureLane[]; numbers: Int32Array } {
    const order = this.lanes.map((_, i) => i).sort((a, b) => this.lanes[a]!.rank - this.lanes[b]!.rank || a - b)
    const numbers = new Int32Array(order.length)
    for (const [to, from] of order.entries()) numbers[from] = to
    return { lanes: order.map((i) => ({ name: this.lanes[i]!.name, kind: this.lanes[i]!.kind, from: this.lanes[i]!.from })), numbers }
  }
}

/** Rows of a chain or thread, in the order of the letters. */
function firstRows(rows: readonly OrderRow[]): Map<string, OrderRow> {
  const first = new Map<string, OrderRow>()
  for (const row of rows) if (!first.has(row.chain)) first.set(row.chain, row)
  return first
}

export interface Lanes<S> {
  of(sketch: S, place: EventPlace): number
  ofRow(row: OrderRow): number
  finish(): { lanes: PictureLane[]; numbers: Int32Array }
}

export class ThreadLanes implements Lanes<ThreadSketch> {
  private readonly table: LaneTable
  private readonly ranks: Map<string, number>

  constructor(rows: readonly OrderRow[], strings: Strings) {
    this.table = new LaneTable(strings)
    this.ranks = new Map([...firstRows(rows).keys()].map((chain, i) => [chain, i]))
  }

  of(sketch: ThreadSketch, place: EventPlace): number {
    const name = sketch.unitName(sketch.unit[place]!)
    const rank = this.ranks.get(name) ?? this.ranks.size + sketch.unit[place]!
    return this.table.of(name, () => ({ name, kind: 'thread', from: sketch.begunAt(sketch.unit[place]!), rank }))
  }

  ofRow({ chain, posted }: OrderRow): number {
    return this.table.of(chain, () => ({ name: chain, kind: 'thread', from: posted, rank: this.ranks.get(chain) ?? this.ranks.size }))
  }

  finish(): ReturnType<LaneTable['finish']> {
    return this.table.finish()
  }
}

const MAIN_RANK = 0
const LETTER_RANK = 1
const OTHER_RANK = 1000
const OUTSIDE_RANK = 2000

export class ChainLanes implements Lanes<LoopSketch> {
  private readonly table: LaneTable
  /** By label of a chain: its letter as a number from 0, and its first row. */
  private readonly letters: Map<string, { readonly number: number; readonly row: OrderRow }>
  private readonly known = new Map<LoopView, Chains>()
  private others = 0

  constructor(rows: readonly OrderRow[], strings: Strings) {
    this.table = new LaneTable(strings)
    this.letters = new Map([...firstRows(rows)].map(([chain, row], number) => [chain, { number, row }]))
  }

  of(sketch: LoopSketch, place: EventPlace): number {
    let chains = this.known.get(sketch.view)
    if (!chains) this.known.set(sketch.view, (chains = new Chains(sketch.view, this.letters)))
    const own = chains.drawnWith(sketch.chainOf(place))
    const outside = sketch.isOutside(place)
    // What main has begun belongs to whoever waits for it.
    const chain = outside && !this.letters.has(labelOf(sketch.view, own)) ? chains.drawnWith(sketch.heardBy(place)) : own
    const label = labelOf(sketch.view, chain)
    return this.lane(label, outside, () => sketch.aboutChain(chain, place))
  }

  ofRow({ chain, offLoop, name, posted }: OrderRow): number {
    return this.lane(chain, offLoop, () => ({ name, from: posted }))
  }

  finish(): ReturnType<LaneTable['finish']> {
    return this.table.finish()
  }

  private lane(label: string, outside: boolean, about: () => { name: string; from: string }): number {
    const letter = this.letters.get(label)
    if (letter) return this.lettered(letter.number, letter.row, outside)
    if (outside) return this.table.of('outside', () => ({ name: 'outside the loop', kind: 'outside', from: '', rank: OUTSIDE_RANK }))
    if (label === 'main') return this.table.of('main', () => ({ name: 'main', kind: 'chain', from: '', rank: MAIN_RANK }))
    const key = `chain ${label}`
    if (!this.table.has(key) && this.others++ >= MOST_OTHERS)
      return this.table.of('others', () => ({ name: 'other chains', kind: 'chain', from: '', rank: OUTSIDE_RANK - 1 }))
    return this.table.of(key, () => ({ ...about(), kind: 'chain', rank: OTHER_RANK }))
  }

  private lettered(number: number, row: OrderRow, outside: boolean): number {
    const letter = String.fromCharCode(65 + (number % 26))
    const rank = LETTER_RANK + 2 * number + Number(outside)
    if (outside)
      return this.table.of(`outside ${number}`, () => ({ name: `${letter}: outside the loop`, kind: 'outside', from: row.posted, rank }))
    return this.table.of(`letter ${number}`, () => ({ name: `${letter}: ${aboutRow(row)}`, kind: 'chain', from: row.posted, rank }))
  }
}

/** `fs.readFile in buy`: what the chain does and the function that asked for it. */
function aboutRow({ name, accesses, posted }: OrderRow): string {
  const inside = / (.+)$/.exec(accesses[0]?.site ?? posted.split(' < ')[0]!)?.[1]
  const what = name.replace(/, outside the loop$/, '')
  return inside === undefined ? what : `${what} in ${inside}`
}

const labelOf = (view: LoopView, chain: OpId): string => (chain === NONE ? 'main' : view.opLabel[chain]!)

/** Which chain of a run another one is drawn with. */
class Chains {
  private readonly answer: Int32Array
  /** By chain that leads to lettered ones: the only one, or MANY. */
  private readonly leadsTo = new Map<OpId, OpId>()
  private readonly lettered = new Set<OpId>()

  constructor(
    private readonly view: LoopView,
    letters: ReadonlyMap<string, unknown>,
  ) {
    this.answer = new Int32Array(view.opCount).fill(UNKNOWN)
    for (const label of letters.keys()) {
      const chain = view.findOp(label)
      if (chain !== NONE) this.lettered.add(chain)
    }
    for (const letter of this.lettered) {
      for (let chain = view.opChain[letter]!; chain !== NONE; chain = view.opChain[chain]!) {
        const known = this.leadsTo.get(chain)
        this.leadsTo.set(chain, known === undefined || known === letter ? letter : MANY)
      }
    }
  }

  /** NONE: with the main chain. */
  drawnWith(chain: OpId): OpId {
    const { view, answer } = this
    const path: OpId[] = []
    let at = chain
    while (at !== NONE && answer[at] === UNKNOWN && !this.lettered.has(at) && !this.leadsTo.has(at)) {
      path.push(at)
      at = view.opChain[at]!
    }
    let found: OpId
    if (at !== NONE && answer[at] !== UNKNOWN) found = answer[at]!
    else if (at !== NONE && this.lettered.has(at)) found = at
    else {
      const only = at === NONE ? MANY : this.leadsTo.get(at)!
      // Begun where several part: a flow of its own, from the first chain that is only its.
      if (path.length > 0) found = path.at(-1)!
      else found = only === MANY ? NONE : only
    }
    for (const each of path) answer[each] = found
    return found
  }
}

const UNKNOWN = -2
const MANY = -3
