/**
 * The orders in which a loop can run recorded turns, by the table of docs/event-loop.md, written down once more in the plainest way: orders are enumerated, times are solved
 * as difference constraints. Nothing of how the predictors search.
 */
import type { LoopView } from '../../src/causal/loop/turns.ts'
import { CLOSE, IMMEDIATE, TIMER } from '../../src/trace/loop.ts'

/** All orders that some real loop can run, as strings of turns joined by spaces. */
export function feasibleOrders(view: LoopView): string[] {
  const found: string[] = []
  const order: number[] = [0]
  interface Loop {
    phase: number
    /** Turn numbers in the queues. */
    immediates: number[]
    batch: number[]
    closes: number[]
    closing: number[]
    timers: number[]
    io: number[]
    /** Constraints x[b] - x[a] >= w over: moments of posts (after their turn's begin), begins of turns, begins of timers phases. */
    constraints: [a: number, b: number, w: number][]
    /** Node numbers: the last moment on the line of time. */
    last: number
    nodes: number
    posted: Map<number, number>
    phaseBegan: number
    list: number
  }
  const children = (turn: number): number[] => [...view.tree.childrenOf(turn)].sort((a, b) => view.turnPost[a]! - view.turnPost[b]!)
  const delay = (turn: number): number => view.opDelay[view.turnOp[turn]!]!
  const copy = (l: Loop): Loop => ({
    ...l,
    immediates: [...l.immediates],
    batch: [...l.batch],
    closes: [...l.closes],
    closing: [...l.closing],
    timers: [...l.timers],
    io: [...l.io],
    constraints: [...l.constraints],
    posted: new Map(l.posted),
  })
  const moment = (l: Loop): number => {
    const node = l.nodes++
    l.constraints.push([l.last, node, 0])
    l.last = node
    return node
  }
  const run = (l: Loop, turn: number): void => {
    moment(l)
    for (const child of children(turn)) {
      const kind = view.turnKind[child]
      if (kind === TIMER) {
        l.posted.set(child, moment(l))
        l.timers.push(child)
      } else if (kind === IMMEDIATE) l.immediates.push(child)
      else if (kind === CLOSE) l.closes.push(child)
      else l.io.push(child)
    }
  }
  const solvable = (l: Loop): boolean => {
    const x = new Float64Array(l.nodes)
    for (let round = 0; round <= l.nodes; round++) {
      let changed = false
      for (const [a, b, w] of l.constraints) {
        if (x[a]! + w <= x[b]! + 1e-9) continue
        x[b] = x[a]! + w
        changed = true
      }
      if (!changed) return true
    }
    return false
  }
  const seen = new Set<string>()
  const walk = (l: Loop, idle: number): void => {
    if (!solvable(l)) return
    const key = `${order.join(' ')}|${l.phase}|${idle}|${l.list}`
    if (seen.has(key) && idle > 0) return
    seen.add(key)
    if (order.length === view.turnCount) {
      found.push(order.join(' '))
      return
    }
    const step = (next: Loop, turn: number): void => {
      order.push(turn)
      run(next, turn)
      walk(next, 0)
      order.pop()
    }
    // Go on to the next phase: everything this phase had to do is done.
    const goOn = (): void => {
      if (idle > 5) return
      const next = copy(l)
      next.phase = (l.phase + 1) % 4
      next.list = 0
      if (l.phase === 0) for (const t of l.timers) next.constraints.push([l.phaseBegan, l.posted.get(t)!, -delay(t) + 1e-6]) // not due when the phase began
      if (next.phase === 0) next.phaseBegan = moment(next)
      if (next.phase === 2) next.batch = next.immediates.splice(0)
      if (next.phase === 3) next.closing = next.closes.splice(0)
      walk(next, idle + 1)
    }
    if (l.phase === 0) {
      goOn()
      for (const t of l.timers) {
        const next = copy(l)
        const mine = l.timers.filter((o) => delay(o) === delay(t))
        if (mine[0] !== t) continue
        next.timers = l.timers.filter((o) => o !== t)
        next.constraints.push([l.posted.get(t)!, l.phaseBegan, delay(t)])
        // The list that expires first, unless the loop is at this list already.
        if (l.list !== delay(t)) {
          for (const o of l.timers) {
            if (delay(o) !== delay(t) && l.timers.find((p) => delay(p) === delay(o)) === o)
              next.constraints.push([l.posted.get(t)!, l.posted.get(o)!, delay(t) - delay(o)])
          }
          // It leaves a list only when nothing in it is due any more.
          if (l.list)
            for (const o of l.timers) if (delay(o) === l.list) next.constraints.push([l.phaseBegan, l.posted.get(o)!, -delay(o) + 1e-6])
        }
        next.list = delay(t)
        step(next, t)
      }
    } else if (l.phase === 1) {
      goOn()
      for (const t of l.io) {
        const next = copy(l)
        next.io = l.io.filter((o) => o !== t)
        step(next, t)
      }
    } else if (l.phase === 2) {
      if (l.batch.length === 0) goOn()
      else {
        const next = copy(l)
        step(next, next.batch.shift()!)
      }
    } else if (l.closing.length === 0) goOn()
    else {
      const next = copy(l)
      step(next, next.closing.pop()!)
    }
  }
  const start: Loop = {
    phase: 3,
    immediates: [],
    batch: [],
    closes: [],
    closing: [],
    timers: [],
    io: [],
    constraints: [],
    last: 0,
    nodes: 1,
    posted: new Map(),
    phaseBegan: 0,
    list: 0,
  }
  run(start, 0)
  walk(start, 0)
  return [...new Set(found)]
}
