/**
 * Turns of an event loop as functions from inputs to writes under conditions: what the recorded turns do in another order. Evaluated until the first
 * condition that flips; from there on the program leaves the recorded path, and nothing is known.
 */
import { GrowInt32 } from '../base/grow.ts'
import { BRANCH, isRead, isWrite, PIN } from '../trace/ops.ts'
import { outcomeFor } from './outcome.ts'
import { Evaluation, RECORDED, type Given } from './evaluate.ts'
import { NO_NODE, type Node } from './expressions.ts'
import { same, UNKNOWN, type Known } from './known.ts'
import type { Paths } from './paths.ts'
import { StartingStates } from './starting-states.ts'

/** An input of the deviating condition: which write it saw in the recorded run, and which it sees in this order. NONE: what was there before any. */
export interface Seen {
  readonly row: number
  readonly recorded: number
  readonly now: number
}

export interface Deviation {
  /** A branch. */
  readonly row: number
  /** Of a receiver or an index: the new value. */
  readonly outcome: Known
  /** Not sure: nobody can tell what it comes to, and something it depends on is another. */
  readonly sure: boolean
}

export interface TurnsPlayed {
  /** The first branch that is sure to come out otherwise. The play ends there. */
  readonly deviation?: Deviation
  /** The first branch or pin of which nobody can tell. The play went on as if it had kept its outcome. */
  readonly doubt?: Deviation
  /** All of them, up to the deviation. */
  readonly doubts: number[]
  /** Of the deviation; where there is none, of the doubt. */
  readonly seen: Seen[]
}

export class PathTurns {
  private readonly starting: StartingStates
  private readonly evaluation: Evaluation
  /** By turn: the rows that matter. */
  private readonly rows = new Map<number, Int32Array>()
  /** What this play put into locations; counts where `written` is the round. */
  private round = 0
  private readonly written: Int32Array
  private readonly writer: Int32Array
  private readonly isKept: Uint8Array
  private readonly value: Known[]
  /** Writers that inputs saw in this play, by row; counts where `sawIn` is the round. */
  private readonly sawIn: Int32Array
  private readonly saw: Int32Array

  constructor(readonly paths: Paths) {
    const { trace } = paths
    const locations = trace.tables.locations.size
    this.starting = new StartingStates(paths)
    this.evaluation = new Evaluation(paths.expressions)
    this.written = new Int32Array(locations)
    this.writer = new Int32Array(locations)
    this.isKept = new Uint8Array(locations)
    this.value = Array.from({ length: locations }, () => UNKNOWN)
    this.sawIn = new Int32Array(trace.eventCount)
    this.saw = new Int32Array(trace.eventCount)
  }

  /** Turns below `front` as recorded, then those of `order`. Negative numbers are effects outside the loop: they touch nothing here. */
  play(front: number, order: readonly number[]): TurnsPlayed {
    const { paths, evaluation } = this
    this.round++
    const start = paths.firstRowFrom(front)
    evaluation.begin(() => RECORDED, paths.firstNodeFrom(start))
    const doubts: number[] = []
    for (const turn of order) {
      if (turn < 0) continue
      const deviation = this.turn(turn, start, doubts)
      if (deviation) return { deviation, doubts, ...this.firstDoubt(doubts), seen: this.seenBy(deviation.row) }
    }
    return { doubts, ...this.firstDoubt(doubts), seen: doubts.length > 0 ? this.seenBy(doubts[0]!) : [] }
  }

  /** The write that an input saw in the recorded run, or NONE. */
  recordedWriter(input: number): number {
    return this.starting.writerOf(input)
  }

  private firstDoubt(doubts: readonly number[]): { doubt?: Deviation } {
    return doubts.length === 0 ? {} : { doubt: { row: doubts[0]!, outcome: UNKNOWN, sure: false } }
  }

  private turn(turn: number, start: number, doubts: number[]): Deviation | undefined {
    const { paths, evaluation } = this
    const { op, target } = paths.trace
    for (const row of this.rowsOf(turn)) {
      const o = op[row]!
      const node = paths.ofRow(row)
      if (isRead(o)) evaluation.put(node, this.read(row, target[row]!, start))
      else if (isWrite(o)) this.write(row, target[row]!, node)
      else if (!evaluation.isAsRecorded(node)) {
        const outcome = o === PIN ? UNKNOWN : this.outcomeOf(row, node)
        if (outcome === UNKNOWN) doubts.push(row)
        else if (outcome !== RECORDED) return { row, outcome, sure: true }
      }
    }
    return undefined
  }

  /** RECORDED where it is no other one. */
  private outcomeOf(row: number, node: Node): Given {
    const { paths, evaluation } = this
    const kind = paths.kindOf(row)
    const outcome = outcomeFor(kind, evaluation.resultOf(node))
    if (outcome === UNKNOWN) return UNKNOWN
    // Labels of receivers are not the names of the values, so the values are compared.
    const recorded = outcomeFor(kind, paths.expressions.resultOf(node))
    return same(outcome, recorded === UNKNOWN ? paths.outcomeOf(row) : recorded) ? RECORDED : outcome
  }

  private read(row: number, location: number, start: number): Given {
    // Other threads write there: orders of turns say nothing about it.
    if (this.paths.isCell(row)) return RECORDED
    const isOurs = this.written[location] === this.round
    const writer = isOurs ? this.writer[location]! : this.starting.writerAt(location, start)
    this.sawIn[row] = this.round
    this.saw[row] = writer
    if (writer === this.starting.writerOf(row) && (!isOurs || this.isKept[location] === 1)) return RECORDED
    if (this.starting.isDisturbed(location)) return UNKNOWN
    return isOurs ? this.value[location]! : this.starting.valueOf(location, writer)
  }

  private write(row: number, location: number, node: Node): void {
    const { evaluation, paths } = this
    const kept = node === NO_NODE || evaluation.isAsRecorded(node)
    this.written[location] = this.round
    this.writer[location] = row
    this.isKept[location] = kept ? 1 : 0
    this.value[location] = kept ? paths.valueOf(row) : evaluation.of(node)
  }

  private seenBy(row: number): Seen[] {
    const inputs = this.paths.inputsOf(this.paths.ofRow(row))
    return Array.from(inputs, (input) => {
      const recorded = this.starting.writerOf(input)
      return { row: input, recorded, now: this.sawIn[input] === this.round ? this.saw[input]! : recorded }
    })
  }

  /** Accesses, and decisions that something can change. */
  private rowsOf(turn: number): Int32Array {
    let rows = this.rows.get(turn)
    if (rows === undefined) {
      const { paths } = this
      const found = new GrowInt32()
      for (const [from, to] of paths.rowsOfTurn(turn)) {
        for (let row = from; row < to; row++) {
          const op = paths.trace.op[row]!
          if (isRead(op) || isWrite(op) || ((op === BRANCH || op === PIN) && paths.ofRow(row) !== NO_NODE)) found.push(row)
        }
      }
      rows = found.view().slice()
      this.rows.set(turn, rows)
    }
    return rows
  }
}
