/**
 * A paths file (docs/branches.md) as expressions: one pass over its rows. Files are not trusted: a row that refers to something that is no
 * expression, or to one that comes later, is treated as if it depended on everything read so far.
 *
 * If an expression does not evaluate to the recorded value, our model of it (or the file) is wrong. Then only the fact that its inputs determine it
 * is used. Such rows are counted in `mistrusted`.
 */
import { GrowInt32 } from '../base/grow.ts'
import { ARGUMENT, BRANCH, CHAIN, EXPRESSION, isAtomic, isRead, isWrite, OF, PIN, STEP, TURN_BEGIN } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import { NOT_OBSERVED, type Value } from '../trace/values.ts'
import { Expressions, NO_NODE, type Node } from './expressions.ts'
import { InputSets } from './input-sets.ts'
import { knownOf, same, UNKNOWN, type Known } from './known.ts'
import { Decoder } from './decoder.ts'
import { Spans } from './spans.ts'
import { isOutcome, outcomeFor, valueFor } from './outcome.ts'

/** From so many inputs on, what is mistrusted depends on all that was read since the first of them. */
const MANY_INPUTS = 64
/** Of so many mistrusted rows the inputs are looked for; the others depend on all that was read before. */
const MOST_LOOKED_BELOW = 2_000

export class Paths {
  /** Of the thread: `main`, `worker 1`. */
  readonly name: string
  /** Keys of inputs are numbers of rows. */
  readonly expressions = new Expressions()
  /** Rows. */
  readonly branches: Int32Array
  readonly pins: Int32Array
  /** How many branches and writes came out otherwise than recorded when evaluated. */
  mistrusted = 0

  private readonly decoder: Decoder
  /** Per row: its expression; of `w`, `branch` and `pin` the one it refers to. */
  private readonly node: Int32Array
  private readonly turns = new Spans()
  private readonly chains = new Spans()
  private readonly steps = new Spans()
  /** Accesses to memory that threads share; per row. */
  private readonly cell: Uint8Array
  private readonly inputSets: InputSets
  private lookedBelow = 0
  private ranges: Map<number, [number, number][]> | undefined

  constructor(readonly trace: Trace) {
    this.name = trace.taskCount > 0 ? trace.taskName(0) : ''
    this.decoder = new Decoder(trace.tables.values)
    this.node = new Int32Array(trace.eventCount).fill(NO_NODE)
    this.cell = new Uint8Array(trace.eventCount)
    this.inputSets = new InputSets(this.expressions)
    const branches = new GrowInt32()
    const pins = new GrowInt32()
    this.readRows(branches, pins)
    this.branches = branches.finish()
    this.pins = pins.finish()
  }

  /** What a `w` (also `wa`, `u`), a `branch` or a `pin` takes its value from, or NO_NODE. */
  ofRow(row: number): Node {
    return this.node[row] ?? NO_NODE
  }

  /** The expression that a read is. */
  nodeOfInput(row: number): Node {
    return this.node[row] ?? NO_NODE
  }

  kindOf(row: number): string {
    return this.trace.targetName(row)
  }

  /** Of a branch. */
  outcomeOf(row: number): Value {
    const value = this.valueOf(row)
    return value === UNKNOWN ? undefined : value
  }

  valueOf(row: number): Known {
    return this.decoder.valueOf(this.trace.value[row]!)
  }

  siteOf(row: number): string {
    return this.trace.siteName(row)
  }

  /** NONE before the first. */
  turnOf(row: number): number {
    return this.turns.at(row)
  }

  /** Empty before the first. */
  chainOf(row: number): string {
    const name = this.chains.at(row)
    return name === NONE ? '' : this.trace.tables.names.at(name)
  }

  /** Of a thread: an access is this step, anything else comes after it. NONE before the first, and outside threads. */
  stepOf(row: number): number {
    return this.steps.at(row)
  }

  /** Which decision of its chain at its place a branch is, from 1. */
  nthOf(branch: number): number {
    const chain = this.chainOf(branch)
    const site = this.trace.site[branch]
    let nth = 0
    for (const row of this.branches) {
      if (row > branch) break
      if (this.trace.site[row] === site && this.chainOf(row) === chain) nth++
    }
    return nth
  }

  /** Is it an access to memory that threads share? */
  isCell(row: number): boolean {
    return this.cell[row] === 1
  }

  /** Ranges of rows, the second number of each excluded. */
  rowsOfTurn(turn: number): readonly (readonly [number, number])[] {
    this.ranges ??= this.turns.ranges(this.trace.eventCount)
    return this.ranges.get(turn) ?? []
  }

  /** The first row of a turn with this number or a larger one; the end of the file where there is none. */
  firstRowFrom(turn: number): number {
    return this.turns.firstFrom(turn, this.trace.eventCount)
  }

  /** The first input of this row or a later one: nodes below it depend on nothing that comes later. All nodes where there is none. */
  firstNodeFrom(row: number): Node {
    const { expressions } = this
    const first = this.inputSets.firstFrom(row)
    return first < expressions.inputCount ? expressions.inputAt(first) : expressions.size
  }

  /** Rows of the inputs that an expression depends on, in order. */
  inputsOf(node: Node): Int32Array {
    return this.inputSets.of(node)
  }

  private readRows(branches: GrowInt32, pins: GrowInt32): void {
    const { trace, expressions, node } = this
    const { op, value } = trace
    let of = NO_NODE
    let stepped = false
    for (let row = 0; row < op.length; row++) {
      const o = op[row]!
      if (o === EXPRESSION) row = this.readExpression(row)
      else if (o === OF) of = this.reference(row)
      else if (isRead(o)) {
        this.setCell(row, stepped)
        stepped = false
        node[row] = expressions.input(row, this.valueOf(row))
      } else if (isWrite(o) || o === BRANCH) {
        if (o === BRANCH) branches.push(row)
        else {
          this.setCell(row, stepped)
          stepped = false
        }
        node[row] = of === NO_NODE ? NO_NODE : this.trusted(row, o, of)
        of = NO_NODE
      } else if (o === PIN) {
        pins.push(row)
        node[row] = value[row] === NOT_OBSERVED ? this.everything() : this.reference(row)
      } else if (o === TURN_BEGIN) this.turns.add(row, this.numberAt(row))
      else if (o === CHAIN) this.chains.add(row, trace.target[row]!)
      else if (o === STEP) {
        this.steps.add(row, this.numberAt(row))
        stepped = true
      }
    }
  }

  private setCell(row: number, stepped: boolean): void {
    if (stepped || isAtomic(this.trace.op[row]!)) this.cell[row] = 1
  }

  /** Returns the last row that belongs to it. */
  private readExpression(row: number): number {
    const { trace, expressions } = this
    const operator = trace.targetName(row)
    const isConstant = operator === 'const'
    const operands: Node[] = []
    if (!isConstant && operator !== '?' && trace.value[row] !== NOT_OBSERVED) operands.push(this.reference(row))
    let last = row
    while (last + 1 < trace.eventCount && trace.op[last + 1] === ARGUMENT) {
      last++
      if (trace.targetName(last) === 'since') for (const node of this.since(this.numberAt(last))) operands.push(node)
      else operands.push(this.reference(last))
    }
    if (isConstant) this.node[row] = this.constant(this.valueOf(row))
    else if (operator === '?') this.node[row] = expressions.opaque(this.valueOf(row), operands)
    else this.node[row] = expressions.make(operator, operands)
    return last
  }

  /** A constant that was not written down stays what it was. */
  private constant(value: Known): Node {
    return value === UNKNOWN ? this.expressions.opaque(UNKNOWN, []) : this.expressions.constant(value)
  }

  /** The expression that the value of this row names. */
  private reference(row: number): Node {
    const to = this.numberAt(row)
    const node = to >= 0 && to < row && this.isExpression(to) ? this.node[to]! : NO_NODE
    return node === NO_NODE ? this.everything() : node
  }

  private isExpression(row: number): boolean {
    const o = this.trace.op[row]!
    return o === EXPRESSION || isRead(o)
  }

  private numberAt(row: number): number {
    const value = this.valueOf(row)
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : NONE
  }

  /** Depends on all that was read so far, and has no known value. */
  private everything(): Node {
    return this.expressions.opaque(UNKNOWN, this.expressions.inputsSince(0))
  }

  /** All inputs from this row on. */
  private since(row: number): Node[] {
    return this.expressions.inputsSince(this.inputSets.firstFrom(row))
  }

  private trusted(row: number, op: number, of: Node): Node {
    const { expressions } = this
    const recorded = this.valueOf(row)
    if (recorded === UNKNOWN) return of
    const result = expressions.resultOf(of)
    const found = op === BRANCH ? outcomeFor(this.kindOf(row), result) : knownOf(result)
    if (op === BRANCH ? isOutcome(this.kindOf(row), found, recorded) : same(found, recorded)) return of
    if (found !== UNKNOWN) this.mistrusted++
    return expressions.opaque(op === BRANCH ? valueFor(this.kindOf(row), recorded) : recorded, this.allBelow(of))
  }

  /**
   * Nodes that have their recorded values where all inputs of this one do. To look for these goes back to where it all began: for many rows that is too
   * much.
   */
  private allBelow(of: Node): Node[] {
    if (this.lookedBelow++ >= MOST_LOOKED_BELOW) return this.expressions.inputsSince(0)
    const rows = this.inputSets.of(of)
    return rows.length <= MANY_INPUTS ? Array.from(rows, (row) => this.node[row]!) : this.since(rows[0]!)
  }
}
