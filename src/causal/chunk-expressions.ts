/**
 * Expressions of a trace taken over into a chunk of it: what is made only of reads before the chunk, or of inert ones, is its recorded value, reads of the chunk get its numbers. So a
 * value that a loop has summed up since the begin of the run costs the chunk no more than the rounds it holds.
 */
import { CONST, Expressions, INPUT, NO_NODE, OPAQUE, UNKNOWN, type Node } from '../symbolic/expressions.ts'
import { RecordedValues, type SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { NONE } from '../trace/trace.ts'

export class ChunkExpressions {
  /** Per node of the whole: the last of the reads it is made of that are not inert, NONE where there is none. All of them are of one task, so the last is the one that counts. */
  readonly newest: Int32Array
  /** Per node of the whole: what it became in the chunk that is being made. */
  private readonly copy: Int32Array
  private readonly copied: Node[] = []
  private readonly values: RecordedValues

  constructor(
    private readonly symbolic: SymbolicTrace,
    inert: Uint8Array,
  ) {
    const { expressions } = symbolic
    this.values = new RecordedValues(symbolic.trace)
    const n = expressions.size
    this.newest = new Int32Array(n).fill(NONE)
    this.copy = new Int32Array(n).fill(NO_NODE)
    for (let node = 0; node < n; node++) {
      if (expressions.operatorOf(node) === INPUT) {
        if (inert[expressions.keyOf(node)] === 0) this.newest[node] = expressions.keyOf(node)
      } else {
        for (let i = operandsOf(expressions, node) - 1; i >= 0; i--) {
          const operand = expressions.operandAt(node, i)
          if (operand !== NONE && this.newest[operand]! > this.newest[node]!) this.newest[node] = this.newest[operand]!
        }
      }
    }
  }

  /** The node in `to`. `first`: the first event of its task in the chunk; `numberOf`: the number of a read in the chunk. */
  take(to: Expressions, node: Node, first: number, numberOf: (read: number) => number): Node {
    if (node === NO_NODE) return NO_NODE
    const { copy, copied } = this
    const { expressions } = this.symbolic
    const todo = [node]
    while (todo.length > 0) {
      const n = todo.at(-1)!
      if (copy[n] !== NO_NODE) {
        todo.pop()
        continue
      }
      const old = this.newest[n]! < first
      let ready = true
      if (!old || expressions.recordedOf(n) === UNKNOWN) {
        for (let i = operandsOf(expressions, n) - 1; i >= 0; i--) {
          const operand = expressions.operandAt(n, i)
          if (operand === NONE || copy[operand] !== NO_NODE) continue
          todo.push(operand)
          ready = false
        }
      }
      if (!ready) continue
      todo.pop()
      copy[n] = old ? this.constant(to, n) : this.made(to, n, numberOf)
      copied.push(n)
    }
    return copy[node]!
  }

  /** The next chunk begins. */
  forget(): void {
    for (const node of this.copied) this.copy[node] = NO_NODE
    this.copied.length = 0
  }

  private constant(to: Expressions, node: Node): Node {
    const { expressions } = this.symbolic
    let value = expressions.recordedOf(node)
    if (value === UNKNOWN && expressions.operatorOf(node) === INPUT) value = this.values.of(expressions.keyOf(node))
    if (value !== UNKNOWN) return to.constant(value)
    return expressions.operatorOf(node) === INPUT ? to.opaque(UNKNOWN, []) : this.made(to, node, () => NONE)
  }

  private made(to: Expressions, node: Node, numberOf: (read: number) => number): Node {
    const { expressions } = this.symbolic
    switch (expressions.operatorOf(node)) {
      case INPUT: {
        const read = expressions.keyOf(node)
        return to.input(numberOf(read), this.values.of(read))
      }
      case CONST: {
        const value = expressions.recordedOf(node)
        return value === UNKNOWN ? to.opaque(UNKNOWN, []) : to.constant(value)
      }
    }
    const operands: Node[] = []
    for (let i = 0; i < expressions.operandCount(node); i++) {
      const operand = expressions.operandAt(node, i)
      if (operand !== NONE) operands.push(this.copy[operand]!)
    }
    return expressions.operatorOf(node) === OPAQUE
      ? to.opaque(expressions.recordedOf(node), operands)
      : to.make(expressions.nameOf(node), operands)
  }
}

function operandsOf(expressions: Expressions, node: Node): number {
  const operator = expressions.operatorOf(node)
  return operator === INPUT || operator === CONST ? 0 : expressions.operandCount(node)
}
