/** Random tiny programs of timers, immediates, I/O and closes, run on a plain loop: recordings that a real one could have made. */
import { Random } from '../../src/base/random.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { CLOSE, IMMEDIATE, IO, TIMER } from '../../src/trace/loop.ts'
import { LoopTrace } from './loop-trace.ts'

export interface Op {
  readonly name: string
  readonly queue: string
  readonly kind: number
  readonly delay: number
  readonly children: Op[]
}

function randomOp(random: Random, budget: { left: number }, depth: number): Op {
  const name = `p${budget.left--}`
  const kind = random.pick([TIMER, TIMER, IMMEDIATE, IO, IO, CLOSE])
  const delay = kind === TIMER ? random.pick([1, 2, 5, 10, 20]) : 0
  const queue = kind === TIMER ? `timer ${delay}` : kind === IMMEDIATE ? 'immediate' : kind === IO ? 'fs' : 'close'
  const children: Op[] = []
  while (depth < 3 && budget.left > 0 && random.chance(0.4)) children.push(randomOp(random, budget, depth + 1))
  return { name, queue, kind, delay, children }
}

/** What else a turn does, at its begin, and what its operation did outside the loop. */
export type InTurn = (trace: LoopTrace, op: Op) => void

/** Runs the program on a plain loop with random I/O durations and turns that take time: a recording a real loop could have made. */
function record(random: Random, roots: readonly Op[], inTurn: InTurn): LoopView {
  const trace = new LoopTrace()
  let now = 0
  const lists = new Map<number, { op: Op; start: number }[]>()
  const io: { op: Op; at: number }[] = []
  let immediates: Op[] = []
  let closes: Op[] = []
  const post = (op: Op): void => {
    trace.post(op.name, op.queue)
    if (op.kind === TIMER) lists.set(op.delay, [...(lists.get(op.delay) ?? []), { op, start: now }])
    else if (op.kind === IMMEDIATE) immediates.push(op)
    else if (op.kind === CLOSE) closes.push(op)
    else io.push({ op, at: now + random.below(150) / 10 })
  }
  const run = (op: Op): void => {
    trace.turn(op.name, now)
    inTurn(trace, op)
    for (const child of op.children) post(child)
    now += random.chance(0.2) ? random.below(8) : 0.01
  }
  for (const op of roots) post(op)
  now += random.chance(0.3) ? random.below(8) : 0.01
  while (lists.size + io.length + immediates.length + closes.length > 0) {
    const began = now
    for (;;) {
      const due = [...lists]
        .map(([delay, list]) => ({ delay, list, expiry: list[0]!.start + delay }))
        .sort((a, b) => a.expiry - b.expiry)[0]
      if (!due || due.expiry > began) break
      while (due.list.length > 0 && due.list[0]!.start + due.delay <= began) run(due.list.shift()!.op)
      if (due.list.length === 0) lists.delete(due.delay)
    }
    if (immediates.length + closes.length === 0) {
      now = Math.max(now, Math.min(...io.map((r) => r.at), ...[...lists].map(([delay, list]) => list[0]!.start + delay)))
      if (now === Infinity) break
    }
    const ready = io.filter((r) => r.at <= now).sort((a, b) => a.at - b.at)
    for (const r of ready) {
      io.splice(io.indexOf(r), 1)
      run(r.op)
    }
    for (const op of immediates.splice(0)) run(op)
    for (const op of closes.splice(0).reverse()) run(op)
  }
  immediates = []
  closes = []
  return new LoopView(trace.finish())
}

export function randomView(seed: number, inTurn: InTurn = () => {}): LoopView {
  const random = new Random(seed)
  const budget = { left: 2 + random.below(5) }
  const roots: Op[] = []
  while (budget.left > 0) roots.push(randomOp(random, budget, 0))
  return record(random, roots, inTurn)
}
