/** Which inputs an expression depends on. */
import { INPUT, NO_NODE, type Expressions, type Node } from './expressions.ts'

/** So many numbers are kept for the next time; then all are forgotten. */
const MOST_KEPT = 1 << 22

export class InputSets {
  private readonly kept = new Map<Node, Int32Array>()
  private keptNumbers = 0
  private seen = new Int32Array(0)
  private round = 0

  constructor(private readonly expressions: Expressions) {}

  /** Keys, in growing order. */
  of(node: Node): Int32Array {
    if (node === NO_NODE) return NOTHING
    let set = this.kept.get(node)
    if (set === undefined) {
      set = this.collect(node)
      this.keptNumbers += set.length + 8
      if (this.keptNumbers > MOST_KEPT) {
        this.kept.clear()
        this.keptNumbers = set.length + 8
      }
      this.kept.set(node, set)
    }
    return set
  }

  /** The number, in order of creation, of the first input with this key or a larger one. Keys must have been given in growing order. */
  firstFrom(key: number): number {
    const { expressions } = this
    let lo = -1
    let hi = expressions.inputCount
    while (hi - lo > 1) {
      const mid = (lo + hi) >>> 1
      if (expressions.keyOf(expressions.inputAt(mid)) < key) lo = mid
      else hi = mid
    }
    return hi
  }

  private collect(root: Node): Int32Array {
    const { expressions } = this
    if (this.seen.length < expressions.size) {
      const bigger = new Int32Array(expressions.size * 2)
      bigger.set(this.seen)
      this.seen = bigger
    }
    const round = ++this.round
    const keys: number[] = []
    const stack = [root]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (this.seen[node] === round) continue
      this.seen[node] = round
      if (expressions.operatorOf(node) === INPUT) {
        keys.push(expressions.keyOf(node))
        continue
      }
      for (const operand of expressions.operandsOf(node)) {
        if (this.seen[operand] === round) continue
        const known = this.kept.get(operand)
        if (known === undefined) stack.push(operand)
        else if (known.length > 0) {
          this.seen[operand] = round
          for (const key of known) keys.push(key)
        }
      }
    }
    return Int32Array.from(new Set(keys)).sort()
  }
}

const NOTHING = new Int32Array(0)
