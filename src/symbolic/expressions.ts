/**
 * Expressions over inputs and constants, as a graph in columns: how values are computed (docs/branches.md has the operators). A node is a number;
 * operands have smaller numbers than their node. Every node has its value in the recorded run, if that is known.
 */
import { GrowInt32 } from '../base/grow.ts'
import { Names } from '../base/names.ts'
import { operationOf, type Operation } from './operators.ts'
import { knownOf, UNKNOWN, type Known, type Result } from './known.ts'
import type { Value } from '../trace/values.ts'

export { UNKNOWN, type Known } from './known.ts'

export type Node = number

/** No expression: nothing another schedule can change. */
export const NO_NODE = -1

/** Operators have the numbers of their names in `operators`; these four are always there. */
export const INPUT = 0
export const CONST = 1
/** Not followed: has its recorded value as long as its operands have theirs. */
export const OPAQUE = 2
/** Operands: element, contents. The element, as long as the contents are those recorded. */
export const AT = 3

export class Expressions {
  readonly operators = Names.of(['input', 'const', '?', 'at'])
  private readonly operator = new GrowInt32()
  /** Where the operands of a node begin in `operands`; those of the next node end them. Of INPUT: its key. */
  private readonly start = new GrowInt32()
  private readonly operands = new GrowInt32()
  private readonly recorded: Result[] = []
  private readonly operations: (Operation | undefined)[] = []
  private readonly inputs = new GrowInt32()
  /** Blocks of 2, 4, 8 … inputs, by level and number: see `inputsSince`. */
  private readonly blocks = new Map<number, Node>()

  get size(): number {
    return this.operator.length
  }

  /** How many INPUT nodes there are. */
  get inputCount(): number {
    return this.inputs.length
  }

  inputAt(number: number): Node {
    return this.inputs.at(number)
  }

  /** A value from elsewhere. `key` says which: the row or event that read it. What was not followed keeps its value only where the recorded ones are given. */
  input(key: number, ...recorded: [value?: Known]): Node {
    // Not a default: undefined is a value.
    const node = this.add(INPUT, [key], recorded.length === 0 ? UNKNOWN : (recorded[0] as Known))
    this.inputs.push(node)
    return node
  }

  constant(value: Value): Node {
    return this.add(CONST, [], value)
  }

  opaque(recorded: Known, operands: readonly Node[]): Node {
    return this.add(OPAQUE, operands, recorded)
  }

  make(operator: string, operands: readonly Node[]): Node {
    const number = this.operators.intern(operator)
    if (number === AT) return this.add(AT, operands, this.recorded[operands[0]!] ?? UNKNOWN)
    if (number <= OPAQUE) return this.opaque(UNKNOWN, operands)
    return this.add(number, operands, this.operationOf(number)(operands.map((o) => this.recorded[o]!)))
  }

  /**
   * Nodes that have their recorded values exactly when all inputs from number `first` on (in order of creation) do. Made of blocks that are kept, so that
   * asking again and again costs little.
   */
  inputsSince(first: number): Node[] {
    const nodes: Node[] = []
    const end = this.inputs.length
    for (let at = Math.max(first, 0); at < end;) {
      let level = 0
      while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++
      nodes.push(this.block(level, at / 2 ** level))
      at += 2 ** level
    }
    return nodes
  }

  operatorOf(node: Node): number {
    return this.operator.at(node)
  }

  nameOf(node: Node): string {
    return this.operators.at(this.operator.at(node))
  }

  /** Of an INPUT. */
  keyOf(node: Node): number {
    return this.operands.at(this.start.at(node))
  }

  /** None for INPUT and CONST. */
  operandsOf(node: Node): Int32Array {
    const op = this.operator.at(node)
    if (op === INPUT || op === CONST) return NOTHING
    return this.operands.view().subarray(this.start.at(node), this.endOf(node))
  }

  /** Of a CONST or an OPAQUE; of others the same as `recordedOf`. */
  valueOf(node: Node): Known {
    return this.recordedOf(node)
  }

  /** The value in the recorded run. */
  recordedOf(node: Node): Known {
    return knownOf(this.recorded[node]!)
  }

  /** The same, where a computation that throws is told from one that nobody can tell. */
  resultOf(node: Node): Result {
    return this.recorded[node]!
  }

  operandCount(node: Node): number {
    return this.endOf(node) - this.start.at(node)
  }

  operandAt(node: Node, i: number): Node {
    return this.operands.at(this.start.at(node) + i)
  }

  /** What carries out the operator with this number; of operators that nobody knows the result is unknown. */
  operationOf(operator: number): Operation {
    return (this.operations[operator] ??= operationOf(this.operators.at(operator)))
  }

  private endOf(node: Node): number {
    return node + 1 < this.operator.length ? this.start.at(node + 1) : this.operands.length
  }

  private block(level: number, number: number): Node {
    if (level === 0) return this.inputs.at(number)
    const key = level * 2 ** 32 + number
    let node = this.blocks.get(key)
    if (node === undefined) {
      node = this.opaque(true, [this.block(level - 1, 2 * number), this.block(level - 1, 2 * number + 1)])
      this.blocks.set(key, node)
    }
    return node
  }

  private add(operator: number, operands: readonly number[], recorded: Result): Node {
    const node = this.operator.length
    this.operator.push(operator)
    this.start.push(this.operands.length)
    for (const operand of operands) this.operands.push(operand)
    this.recorded.push(recorded)
    return node
  }
}

const NOTHING = new Int32Array(0)
