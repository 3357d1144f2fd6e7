/**
 * Which orders of turns could flip a condition: for each of its inputs, and for what the writers of these relied on, the orders in which it sees
 * another write. Best guess first: those under which the condition, evaluated with the recorded value of that write, flips.
 */
import { NONE } from '../../trace/trace.ts'
import { isWrite, READ } from '../../trace/ops.ts'
import { RECORDED, type Given } from '../../symbolic/evaluate.ts'
import { NO_NODE, UNKNOWN } from '../../symbolic/expressions.ts'
import type { Paths } from '../../symbolic/paths.ts'
import { decisionOf } from '../../symbolic/decision.ts'

/** Rows of the paths: the first is to come before the second. */
export interface RowOrder {
  readonly first: number
  readonly second: number
}

/** The input that sees something else, the write it saw (NONE: what was there at the start), and the one it sees instead. */
export interface Sight {
  readonly input: number
  readonly saw: number
  readonly sees: number
}

export interface Guess extends Sight {
  readonly orders: readonly RowOrder[]
  /** 2: the condition flips by the recorded values; 1: nobody knows; 0: not by itself. */
  readonly points: number
}

const MOST_INPUTS = 12
const MOST_WRITERS = 4
const MOST_DEPTH = 3
const MOST_PAIRS = 200

type Decision = ReturnType<typeof decisionOf>

const compare = (now: Decision, recorded: Decision): number => (now === UNKNOWN || recorded === UNKNOWN ? 1 : now === recorded ? 0 : 2)

export class Wishes {
  /** By location: rows of inputs and writes, in order. */
  private readonly touches = new Map<number, number[]>()
  /** By row: its place in that list. */
  private readonly at = new Map<number, number>()

  constructor(private readonly paths: Paths) {
    const { op, target } = paths.trace
    for (let row = 0; row < op.length; row++) {
      if ((op[row] !== READ && !isWrite(op[row]!)) || paths.isCell(row)) continue
      const rows = this.touches.get(target[row]!)
      this.at.set(row, rows?.length ?? 0)
      if (rows) rows.push(row)
      else this.touches.set(target[row]!, [row])
    }
  }

  /** Of a branch with a condition. */
  of(branch: number): Guess[] {
    const { paths } = this
    const guesses: Guess[] = []
    const seen = new Set<number>()
    const recorded = decisionOf(paths, branch, () => RECORDED)
    let inputs = [...paths.inputsOf(paths.ofRow(branch))]
    for (let depth = 0; depth < MOST_DEPTH && inputs.length > 0; depth++) {
      const deeper: number[] = []
      for (const input of inputs) {
        if (seen.has(input) || seen.size >= MOST_INPUTS) continue
        seen.add(input)
        const points = (sees: number): number =>
          depth > 0 ? 1 : compare(decisionOf(paths, branch, this.instead([{ input, sees }])), recorded)
        guesses.push(...this.guesses(branch, input, points))
        const writer = this.writerOf(input)
        if (writer !== NONE && paths.ofRow(writer) !== NO_NODE) deeper.push(...paths.inputsOf(paths.ofRow(writer)))
      }
      inputs = deeper
      if (depth === 0 && !guesses.some(({ points }) => points === 2)) guesses.push(...this.pairs(branch, guesses, recorded))
    }
    return guesses.sort((a, b) => b.points - a.points)
  }

  /** Two inputs that see something else, where one alone changes nothing. */
  private *pairs(branch: number, guesses: readonly Guess[], recorded: Decision): Generator<Guess> {
    let left = MOST_PAIRS
    for (const [i, a] of guesses.entries()) {
      for (const b of guesses.slice(i + 1)) {
        if (a.input === b.input || left-- <= 0) continue
        if (compare(decisionOf(this.paths, branch, this.instead([a, b])), recorded) === 2)
          yield { ...a, orders: [...a.orders, ...b.orders], points: 2 }
      }
    }
  }

  /** Some inputs see these writes, with the values they had in the recorded run. */
  private instead(sights: readonly { readonly input: number; readonly sees: number }[]): (row: number) => Given {
    const values = new Map(
      sights.map(({ input, sees }) => [input, sees === NONE ? this.initial(input) : this.paths.valueOf(sees)] as const),
    )
    return (row) => (values.has(row) ? values.get(row)! : RECORDED)
  }

  /** The last write before an input, in another turn. */
  writerOf(input: number): number {
    const rows = this.rowsOf(input)
    for (let i = this.at.get(input)! - 1; i >= 0; i--) if (isWrite(this.paths.trace.op[rows[i]!]!)) return rows[i]!
    return NONE
  }

  private rowsOf(row: number): readonly number[] {
    return this.touches.get(this.paths.trace.target[row]!) ?? []
  }

  /** What was there before all writes, as far as an input saw it. */
  private initial(input: number): Given {
    const first = this.rowsOf(input)[0]!
    return isWrite(this.paths.trace.op[first]!) ? UNKNOWN : this.paths.valueOf(first)
  }

  private *guesses(branch: number, input: number, points: (sees: number) => number): Generator<Guess> {
    const { paths } = this
    const rows = this.rowsOf(input)
    const turn = paths.turnOf(input)
    const at = this.at.get(input)
    if (at === undefined) return
    const natural: RowOrder[] = paths.turnOf(branch) === turn ? [] : [{ first: input, second: branch }]
    // The turns that wrote before it, last first, each with its last write; and those that wrote after it.
    const before = this.writersFrom(rows, at, -1, turn)
    const after = this.writersFrom(rows, at, 1, turn)
    const saw = before[0] ?? NONE
    for (let k = 0; k < before.length && paths.turnOf(before[k]!) !== 0; k++) {
      const sees = before[k + 1] ?? NONE
      // Whoever wrote after that one comes after the input, too.
      const missed = before.slice(0, k + 1).map((second) => ({ first: input, second }))
      yield { orders: [...missed, ...natural], input, saw, sees, points: points(sees) }
      // The one before, after this one.
      if (k + 1 < before.length && paths.turnOf(before[k + 1]!) !== 0) {
        const later = before[k + 1]!
        const orders = [{ first: before[0]!, second: later }, { first: later, second: input }, ...natural]
        yield { orders, input, saw, sees: later, points: points(later) }
      }
    }
    for (const sees of after) yield { orders: [{ first: sees, second: input }, ...natural], input, saw, sees, points: points(sees) }
  }

  /** Last writes of a few turns on one side, nearest turn first. */
  private writersFrom(rows: readonly number[], at: number, step: 1 | -1, turn: number): number[] {
    const { paths } = this
    const found: number[] = []
    let last = turn
    for (let i = at + step; i >= 0 && i < rows.length && found.length <= MOST_WRITERS; i += step) {
      const row = rows[i]!
      if (!isWrite(paths.trace.op[row]!)) continue
      const of = paths.turnOf(row)
      if (of === turn) continue
      if (of !== last) found.push(row)
      else if (step > 0) found[found.length - 1] = row
      last = of
    }
    return found
  }
}
