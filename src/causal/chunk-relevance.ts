/**
 * Which events of a symbolic trace another schedule cannot change at all, and which therefore need not be in a chunk: the critical events of TAME (section 4,
 * Algorithm 1) are the others. A location is *settled* when only one task touches it once there are several tasks, or nobody writes it any more, and nothing
 * that is written to it depends on a location that is not settled: its reads see the same values in every order that keeps the branches.
 */
import { CONST, INPUT, NO_NODE, type Expressions } from '../symbolic/expressions.ts'
import type { SymbolicTrace } from '../symbolic/symbolic-trace.ts'
import { BRANCH, isRead, isWrite } from '../trace/ops.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import type { Cut } from './chunk-cuts.ts'

/** Longer chains of locations of one task are not followed link by link: then whatever is computed counts as open. */
const MOST_ROUNDS = 24

export class Relevance {
  /** Per location: may its value be another one? And do several tasks use it, so that it may be by itself? */
  readonly open: Uint8Array
  readonly shared: Uint8Array
  /** Per event: 1 where another schedule changes nothing and nothing else depends on where it stands. */
  readonly inert: Uint8Array

  constructor(symbolic: SymbolicTrace, first: Cut) {
    const { trace, of, expressions } = symbolic
    this.shared = sharedLocations(trace, first)
    this.open = this.shared.slice()
    const nodeOpen = new Uint8Array(expressions.size)
    for (let round = 0; this.spread(symbolic, nodeOpen); round++) if (round === MOST_ROUNDS) this.openAll(symbolic)
    this.inert = new Uint8Array(trace.eventCount)
    for (let e = 0; e < trace.eventCount; e++) {
      const op = trace.op[e]!
      if (isRead(op) || isWrite(op)) this.inert[e] = this.open[trace.target[e]!] === 1 ? 0 : 1
      else if (op === BRANCH) this.inert[e] = of[e] !== NO_NODE && nodeOpen[of[e]!] === 1 ? 0 : 1
    }
  }

  /** One round: from locations to what is computed from them, and on to where that is written. Says whether there is more to do. */
  private spread({ trace, expressions, of }: SymbolicTrace, nodeOpen: Uint8Array): boolean {
    const { open } = this
    for (let node = 0; node < nodeOpen.length; node++) {
      if (nodeOpen[node] === 0) nodeOpen[node] = isOpenNode(trace, expressions, open, nodeOpen, node) ? 1 : 0
    }
    let more = false
    for (let e = 0; e < trace.eventCount; e++) {
      if (of[e] === NO_NODE || nodeOpen[of[e]!] === 0 || !isWrite(trace.op[e]!) || open[trace.target[e]!] === 1) continue
      open[trace.target[e]!] = 1
      more = true
    }
    return more
  }

  private openAll({ trace, of }: SymbolicTrace): void {
    for (let e = 0; e < trace.eventCount; e++) if (of[e] !== NO_NODE && isWrite(trace.op[e]!)) this.open[trace.target[e]!] = 1
  }
}

function isOpenNode(trace: Trace, expressions: Expressions, open: Uint8Array, nodeOpen: Uint8Array, node: number): boolean {
  const operator = expressions.operatorOf(node)
  if (operator === CONST) return false
  if (operator === INPUT) return open[trace.target[expressions.keyOf(node)]!] === 1
  for (let i = expressions.operandCount(node) - 1; i >= 0; i--) {
    const operand = expressions.operandAt(node, i)
    if (operand !== NONE && nodeOpen[operand] === 1) return true
  }
  return false
}

/** Used by more than one task and written, not counting what happened before there were several. */
function sharedLocations(trace: Trace, first: Cut): Uint8Array {
  const locations = trace.tables.locations.size
  const user = new Int32Array(locations).fill(NONE)
  const several = new Uint8Array(locations)
  const written = new Uint8Array(locations)
  const { op, target, taskStart } = trace
  for (let t = 0; t < trace.taskCount; t++) {
    for (let e = taskStart[t]! + first[t]!; e < taskStart[t + 1]!; e++) {
      const o = op[e]!
      const write = isWrite(o)
      if (!write && !isRead(o)) continue
      const x = target[e]!
      if (write) written[x] = 1
      if (user[x] === NONE) user[x] = t
      else if (user[x] !== t) several[x] = 1
    }
  }
  for (let x = 0; x < locations; x++) several[x]! &= written[x]!
  return several
}
