/**
 * Oracle: random tiny recordings. Every order of the turns is tried against the rules as the table of docs/event-loop.md states them, written
 * down here once more in the plainest way (orders are enumerated, times are solved as difference constraints). What decide calls feasible must be
 * among them, and a flip that one hold or one stall brings about must not be missed.
 */
import { describe, expect, test } from 'vitest'
import { IO } from '../../src/trace/loop.ts'
import { LoopDecider } from '../../src/predict/loop/decide.ts'
import { checkRun } from '../../src/witness/loop/check.ts'
import { feasibleOrders } from './feasible-orders.ts'
import { randomView } from './random-turns.ts'

describe('every order that decide gives is one a loop can run', () => {
  test('random programs: no order is feasible that enumeration does not have', () => {
    let feasible = 0
    let flips = 0
    let missed = 0
    for (let seed = 1; seed <= 400; seed++) {
      const view = randomView(seed)
      expect({ seed, broken: checkRun(view, 'due') }).toEqual({ seed, broken: undefined })
      const orders = feasibleOrders(view).map((o) => o.split(' ').map(Number))
      const recorded = Array.from({ length: view.turnCount }, (_, t) => t).join(' ')
      expect({ seed, recorded: orders.some((o) => o.join(' ') === recorded) }).toEqual({ seed, recorded: true })
      const decider = new LoopDecider(view, 'due')
      const doing = (unit: number) => ({ unit, chain: view.turnOp[unit]!, event: 0 })
      for (let v = 1; v < view.turnCount; v++) {
        for (let u = 1; u < v; u++) {
          const answer = decider.decide([[doing(v), doing(u)]])
          const can = orders.some((o) => o.indexOf(v) < o.indexOf(u))
          if (answer.verdict === 'feasible') {
            feasible++
            const { front, order } = answer.played
            const turns = [...Array.from({ length: front }, (_, t) => t), ...order.filter((t) => t >= 0)]
            const prefix = turns.join(' ')
            expect({ seed, u, v, prefix, ok: orders.some((o) => `${o.join(' ')} `.startsWith(`${prefix} `)) }).toEqual({
              seed,
              u,
              v,
              prefix,
              ok: true,
            })
          } else if (answer.verdict === 'infeasible') {
            expect({ seed, u, v, rule: answer.rule, can }).toEqual({ seed, u, v, rule: answer.rule, can: false })
          } else if (can) {
            // Only what would need quicker I/O or a less busy loop than recorded may be left open; what is held may take any time.
            let x = u
            while (x > 0 && view.turnKind[x] !== IO && !view.tree.holds(x, v)) x = view.turnParent[x]!
            const holdable = x > 0 && !view.tree.holds(x, v)
            expect({ seed, u, v, holdable }).toEqual({ seed, u, v, holdable: false })
            missed++
          }
          if (can) flips++
        }
      }
    }
    expect(feasible).toBeGreaterThan(700)
    expect(feasible + missed).toBe(flips)
  })
})
