/**
 * Can another schedule change the decision of a branch? It can if some input of it, or of what wrote that input, has another writer; if an input is a
 * cell that threads share; if its turn, or that of a write it sees, made such a decision before; or if the branch is in a turn that answers an
 * operation on a resource that others write. A branch that flips without any of these varies by itself: random numbers, process ids, times.
 */
import type { LoopView } from '../causal/loop/turns.ts'
import { effectOf } from '../trace/loop.ts'
import { NO_NODE, type Node } from '../symbolic/expressions.ts'
import type { Paths } from '../symbolic/paths.ts'
import { isWrite } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'

const MOST_DEPTH = 4

export class Changeable {
  /** By location: rows of writes after the main script. */
  private readonly writes = new Map<number, number[]>()
  /** Resources that some operation or turn writes, with who does; NONE for several. */
  private readonly writers: ReadonlyMap<number, number>
  /** By turn: the first branch with a condition that another schedule can change; Infinity if there is none. */
  private readonly first = new Map<number, number>()

  constructor(
    private readonly paths: Paths,
    private readonly view: LoopView | undefined,
  ) {
    const { op, target } = paths.trace
    for (let row = 0; row < op.length; row++) {
      if (!isWrite(op[row]!) || paths.turnOf(row) === 0) continue
      const rows = this.writes.get(target[row]!)
      if (rows) rows.push(row)
      else this.writes.set(target[row]!, [row])
    }
    this.writers = view ? writersOf(view) : new Map()
  }

  branch(row: number): boolean {
    const node = this.paths.ofRow(row)
    if (node !== NO_NODE && (this.expression(node, MOST_DEPTH, new Set()) || this.follows(row))) return true
    return this.answersConflict(row)
  }

  private expression(node: Node, depth: number, seen: Set<number>): boolean {
    for (const input of this.paths.inputsOf(node)) {
      if (seen.has(input)) continue
      seen.add(input)
      if (this.paths.isCell(input)) return true
      const turn = this.paths.turnOf(input)
      for (const write of this.writes.get(this.paths.trace.target[input]!) ?? []) {
        if (this.paths.turnOf(write) === turn) continue
        if (!this.view || !this.ordered(write, input)) return true
        const of = this.paths.ofRow(write)
        if (write < input && this.follows(write)) return true
        if (write < input && depth > 0 && of !== NO_NODE && this.expression(of, depth - 1, seen)) return true
      }
    }
    return false
  }

  /** Did its turn decide on something that another schedule can change before? Then it may do something else from there on. */
  private follows(row: number): boolean {
    const turn = this.paths.turnOf(row)
    let first = this.first.get(turn)
    if (first === undefined) {
      this.first.set(turn, Infinity) // while it is looked for
      first = this.firstOf(turn)
      this.first.set(turn, first)
    }
    return first < row
  }

  private firstOf(turn: number): number {
    const { paths } = this
    const { branches } = paths
    let lo = 0
    let hi = branches.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (paths.turnOf(branches[mid]!) < turn) lo = mid + 1
      else hi = mid
    }
    for (; lo < branches.length && paths.turnOf(branches[lo]!) === turn; lo++) {
      const node = paths.ofRow(branches[lo]!)
      if (node !== NO_NODE && this.expression(node, MOST_DEPTH, new Set())) return branches[lo]!
    }
    return Infinity
  }

  /** Do causes alone keep the two as they were? */
  private ordered(write: number, input: number): boolean {
    const [a, b] = [this.paths.turnOf(write), this.paths.turnOf(input)]
    return a < b ? this.view!.before(a, b) : this.view!.before(b, a)
  }

  /** Does its turn answer an operation that touched a resource which somebody else writes, or that it writes and somebody else touches? */
  private answersConflict(row: number): boolean {
    const { view } = this
    const op = view?.turnOp[this.paths.turnOf(row)] ?? NONE
    if (!view || op === NONE) return false
    const { accesses } = view
    for (const unit of [effectOf(op), this.paths.turnOf(row)]) {
      for (const a of accesses.of(unit)) {
        if (!/^(file|dir|port):/.test(view.trace.tables.locations.at(accesses.location[a]!))) continue
        const writer = this.writers.get(accesses.location[a]!)
        if (writer !== undefined && writer !== unit) return true
      }
    }
    return false
  }
}

const SEVERAL = -(2 ** 31)

function writersOf(view: LoopView): Map<number, number> {
  const { unit, location, write, count } = view.accesses
  const writers = new Map<number, number>()
  for (let a = 0; a < count; a++) {
    if (!write[a]) continue
    const known = writers.get(location[a]!)
    writers.set(location[a]!, known === undefined || known === unit[a] ? unit[a]! : SEVERAL)
  }
  return writers
}
