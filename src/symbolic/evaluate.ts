/**
 * The value of an expression under other inputs. Beside its value every node has a mark: is it as recorded? A node whose operands all are is, too,
 * whatever its value was. So expressions that were not followed (OPAQUE) and values that were not observed keep their recorded value.
 */
import { AT, CONST, INPUT, OPAQUE, type Expressions, type Node } from './expressions.ts'
import { knownOf, same, THROWN, UNKNOWN, type Known, type Result } from './known.ts'

/** Of an input: as in the recorded run, known or not. */
export const RECORDED: unique symbol = Symbol('as recorded')
export type Given = Known | typeof RECORDED

/** Many nodes under the same inputs. What was computed is kept until `begin`. */
export class Evaluation {
  private round = 0
  /** The round in which a node got its value. */
  private done = new Int32Array(0)
  private kept = new Uint8Array(0)
  private readonly results: Result[] = []
  private readonly stack: Node[] = []
  private given: (key: number) => Given = () => RECORDED
  private recordedBelow: Node = 0

  constructor(readonly expressions: Expressions) {}

  /** From here on inputs have these values; nodes below `recordedBelow` are sure to be as recorded. */
  begin(given: (key: number) => Given, recordedBelow: Node = 0): void {
    this.given = given
    this.recordedBelow = recordedBelow
    this.round++
    this.makeRoom()
  }

  /** Gives an input its value before anybody asks for it. */
  put(node: Node, value: Given): void {
    if (node >= this.done.length) this.makeRoom()
    const recorded = this.expressions.resultOf(node)
    if (value === RECORDED) this.settle(node, recorded, true)
    else this.settle(node, value, same(value, recorded))
  }

  of(node: Node): Known {
    return knownOf(this.resultOf(node))
  }

  /** THROWN where the computation would throw. */
  resultOf(node: Node): Result {
    if (node < this.recordedBelow) return this.expressions.resultOf(node)
    this.visit(node)
    return this.results[node]!
  }

  isAsRecorded(node: Node): boolean {
    if (node < this.recordedBelow) return true
    this.visit(node)
    return this.kept[node] === 1
  }

  /** Operands first. Graphs are as deep as the program ran long, so the stack is our own. */
  private visit(root: Node): void {
    if (this.done[root] === this.round) return
    if (root >= this.done.length) this.makeRoom()
    const { expressions, stack, done, round, recordedBelow } = this
    const base = stack.length
    stack.push(root)
    while (stack.length > base) {
      const node = stack[stack.length - 1]!
      if (done[node] === round) {
        stack.pop()
        continue
      }
      const op = expressions.operatorOf(node)
      if (op === INPUT) {
        stack.pop()
        this.put(node, this.given(expressions.keyOf(node)))
        continue
      }
      const before = stack.length
      if (op !== CONST) {
        for (let i = 0, count = expressions.operandCount(node); i < count; i++) {
          const operand = expressions.operandAt(node, i)
          if (operand >= recordedBelow && done[operand] !== round) stack.push(operand)
        }
      }
      if (stack.length > before) continue
      stack.pop()
      this.compute(node, op)
    }
  }

  private compute(node: Node, op: number): void {
    const { expressions } = this
    const count = op === CONST ? 0 : expressions.operandCount(node)
    let kept = true
    for (let i = 0; kept && i < count; i++) kept = this.isKept(expressions.operandAt(node, i))
    if (kept) return this.settle(node, expressions.resultOf(node), true)
    if (op === OPAQUE) return this.settle(node, UNKNOWN, false)
    if (op === AT) {
      if (count < 2 || !this.isKept(expressions.operandAt(node, 1))) return this.settle(node, UNKNOWN, false)
      const element = this.result(expressions.operandAt(node, 0))
      return this.settle(node, element, same(element, expressions.resultOf(node)))
    }
    const operands: Result[] = []
    for (let i = 0; i < count; i++) operands.push(this.result(expressions.operandAt(node, i)))
    const result = expressions.operationOf(op)(operands)
    const recorded = expressions.resultOf(node)
    this.settle(node, result, same(result, recorded) || (result === THROWN && recorded === THROWN))
  }

  /** The graph may have grown since `begin`. */
  private makeRoom(): void {
    const { size } = this.expressions
    if (this.done.length >= size) return
    const done = new Int32Array(size + (size >> 1))
    const kept = new Uint8Array(done.length)
    done.set(this.done)
    kept.set(this.kept)
    this.done = done
    this.kept = kept
  }

  private isKept(node: Node): boolean {
    return node < this.recordedBelow || this.kept[node] === 1
  }

  private result(node: Node): Result {
    return node < this.recordedBelow ? this.expressions.resultOf(node) : this.results[node]!
  }

  private settle(node: Node, result: Result, kept: boolean): void {
    this.results[node] = result
    this.kept[node] = kept ? 1 : 0
    this.done[node] = this.round
  }
}

/** Columns as long as the graph are kept for the next question. One that is asked for while another is answered gets its own. */
const idle = new WeakMap<Expressions, Evaluation>()

export function evaluate(expressions: Expressions, node: Node, valueOf: (key: number) => Given): Known {
  return knownOf(resultUnder(expressions, node, valueOf))
}

/** The same, but THROWN where the computation would throw. */
export function resultUnder(expressions: Expressions, node: Node, valueOf: (key: number) => Given): Result {
  if (node < 0 || node >= expressions.size) return UNKNOWN
  const evaluation = idle.get(expressions) ?? new Evaluation(expressions)
  idle.delete(expressions)
  evaluation.begin(valueOf)
  const value = evaluation.resultOf(node)
  idle.set(expressions, evaluation)
  return value
}
