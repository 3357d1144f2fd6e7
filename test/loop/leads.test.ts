/** Causality on a loop, on random programs whose causes are known: test/loop/async-program.ts gives them without a trace. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { leads } from '../../src/causal/loop/leads.ts'
import { LoopRun } from '../../src/causal/loop/run.ts'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { LoopDecider } from '../../src/predict/loop/decide.ts'
import { ALL, sized } from '../layer.ts'
import { headsOf } from './asked-properties.ts'
import { causes, everyRun, randomProgram, runProgram, type Step } from './async-program.ts'
import { LoopTrace } from './loop-trace.ts'

const SEEDS = sized(1000, 10_000)

interface Case {
  readonly seed: number
  readonly program: readonly Step[]
  readonly duration: (label: string) => number
  readonly run: LoopRun
  readonly heads: readonly number[]
  /** By head: the id of the call. */
  readonly ids: readonly number[]
}

function* cases(): Generator<Case> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Random(seed)
    const program = randomProgram(random, { operations: 2 + random.below(4), calls: 6, names: ['X.a'], objects: ['X#1'] })
    const duration = (label: string): number =>
      1 + new Random([...label].reduce((h, c) => Math.imul(h, 31) + c.charCodeAt(0), seed)).below(90) / 10
    const { made, trace } = runProgram(program, { duration })
    const run = new LoopRun(new LoopView(trace))
    yield { seed, program, duration, run, heads: headsOf(run), ids: made.map(({ id }) => id) }
  }
}

/** Pairs of calls as recorded, the first not in main. */
function* pairs({ run, heads, ids }: Case): Generator<{ x: number; y: number; a: number; b: number }> {
  for (let i = 0; i < heads.length; i++) {
    if (run.doing(heads[i]!).unit === 0) continue
    for (let k = i + 1; k < heads.length; k++) yield { x: heads[i]!, y: heads[k]!, a: ids[i]!, b: ids[k]! }
  }
}

describe('random programs', () => {
  test('what leads to something comes before it in every order, and no order is given in which it does not', () => {
    const counts = { pairs: 0, leads: 0, reordered: 0, feasible: 0, can: 0, left: 0, ordered: 0 }
    for (const one of cases()) {
      const { seed, program, duration, run } = one
      const orders = everyRun(program, duration, 200)?.map(({ made }) => new Map(made.map(({ id }, i) => [id, i])))
      if (!orders) continue
      const decider = new LoopDecider(run.view, 'due')
      for (const { x, y, a, b } of pairs(one)) {
        counts.pairs++
        const can = orders.some((at) => at.has(b) && at.get(b)! < (at.get(a) ?? Infinity))
        if (run.sameTask(x, y)) {
          counts.leads++
          if (can) counts.reordered++
        }
        if (can && !run.mayPrecede(y, x)) counts.ordered++
        if (run.doing(x).unit === run.doing(y).unit) continue
        const answer = decider.decide([[run.doing(y), run.doing(x)]])
        if (run.sameTask(x, y)) expect({ seed, a, b, verdict: answer.verdict }).toEqual({ seed, a, b, verdict: 'infeasible' })
        if (can) counts.can++
        if (answer.verdict !== 'feasible') {
          if (can) counts.left++
          continue
        }
        counts.feasible++
        const holds = answer.instructions.map((i) => (i.do === 'hold' ? { what: i.what.label, until: i.until.label } : undefined)!)
        const at = new Map(runProgram(program, { duration, holds }).made.map(({ id }, i) => [id, i]))
        expect({ seed, a, b, first: at.get(b)! < (at.get(a) ?? Infinity) }).toEqual({ seed, a, b, first: true })
      }
    }
    if (ALL) console.log(counts)
    expect(counts.feasible).toBeGreaterThan(SEEDS)
    // What went on in a turn because of two others can go on in the other one. Then what it posted has another parent: such orders are not looked for.
    expect(counts.left + counts.reordered + counts.ordered).toBeLessThan(0.005 * counts.can)
  })

  test('callbacks, and what goes on in one flow, lead on', () => {
    let known = 0
    let joined = 0
    for (const one of cases()) {
      const { program, run } = one
      const own = causes(program, false)
      for (const { x, y, a, b } of pairs(one)) {
        if (!own.get(b)!.has(a)) continue
        if (run.sameTask(x, y)) known++
        // An async function that ends in the turn in which its caller goes on: the trace does not say who waited for whom.
        else joined++
      }
    }
    if (ALL) console.log({ known, joined })
    expect(known).toBeGreaterThan(SEEDS)
    expect(joined).toBeLessThan(0.02 * known)
  })

  test('flows: events of one number are alike, whatever the other is', () => {
    for (const one of cases()) {
      const { run, heads, seed } = one
      const ask = (x: number, y: number) => [run.sameTask(x, y), run.otherTask(x, y)]
      for (const x of heads)
        for (const like of heads) {
          if (like <= x || run.flow(x) !== run.flow(like)) continue
          for (const y of heads) {
            if (y === x || y === like || run.isBefore(x, y) !== run.isBefore(like, y)) continue
            expect({ seed, y, ask: [ask(x, y), ask(y, x)] }).toEqual({ seed, y, ask: [ask(like, y), ask(y, like)] })
          }
        }
      // Not through what was kept.
      for (const { x, y } of pairs(one)) expect(run.sameTask(x, y)).toBe(leads(run.view, run.doing(x), run.doing(y)))
    }
  })

  test('what leads to what leads on leads on, but for what a turn waited for as a whole', () => {
    let chains = 0
    let broken = 0
    for (const one of cases()) {
      const { run, heads } = one
      const main = heads.filter((head) => run.doing(head).unit === 0).length
      for (let i = main; i < heads.length; i++)
        for (let k = i + 1; k < heads.length; k++)
          for (let l = k + 1; l < heads.length; l++) {
            if (!run.sameTask(heads[i]!, heads[k]!) || !run.sameTask(heads[k]!, heads[l]!)) continue
            chains++
            if (!run.sameTask(heads[i]!, heads[l]!)) broken++
          }
    }
    if (ALL) console.log({ chains, broken })
    expect(chains).toBeGreaterThan(SEEDS)
    expect(broken).toBeLessThan(0.02 * chains)
  })
})

describe('small ones', () => {
  const runOf = (trace: LoopTrace) => {
    const run = new LoopRun(new LoopView(trace.finish()))
    return { run, heads: headsOf(run) as [number, number, number] }
  }

  test('a flow that goes on in the turn of another one comes after what it did before', () => {
    // b: File.read, then waits for what a settles: File.close, in the turn of a.
    const { run, heads } = runOf(
      new LoopTrace()
        .post('a', 'fs')
        .post('b', 'fs')
        .turn('b', 1)
        .call('File.read', 'File#1')
        .turn('a', 2)
        .chain('b')
        .post('c', 'async')
        .chain('c')
        .call('File.close', 'File#1'),
    )
    const [read, close] = heads
    expect(run.sameTask(read, close)).toBe(true)
    expect(run.mayPrecede(close, read)).toBe(false)
    const answer = new LoopDecider(run.view, 'due').decide([[run.doing(close), run.doing(read)]])
    expect(answer).toMatchObject({ verdict: 'infeasible', rule: 'after what it waits for' })
  })

  test('the segments of one chain keep their order, whichever turns they are in', () => {
    const { run, heads } = runOf(
      new LoopTrace()
        .post('a', 'fs')
        .post('b', 'fs')
        .turn('a', 1)
        .chain('main')
        .post('c', 'async')
        .chain('c')
        .call('T.x', 'T#1')
        .turn('b', 2)
        .chain('c')
        .call('T.y', 'T#1'),
    )
    expect(run.sameTask(heads[0], heads[1])).toBe(true)
    expect(run.mayPrecede(heads[1], heads[0])).toBe(false)
  })

  test('what a callback does is not the work of what came after its post', () => {
    const { run, heads } = runOf(
      new LoopTrace().post('a', 'fs').turn('a', 1).call('T.x', 'T#1').post('b', 'fs').call('T.y', 'T#1').turn('b', 2).call('T.z', 'T#1'),
    )
    const [x, y, z] = heads
    expect([run.sameTask(x, z), run.sameTask(y, z), run.otherTask(y, z)]).toEqual([true, false, true])
    expect(run.mayPrecede(z, y)).toBe(false)
  })

  test('nothing in one of two chains that were begun side by side leads to the other', () => {
    const { run, heads } = runOf(
      new LoopTrace()
        .post('a', 'fs')
        .post('b', 'fs')
        .turn('a', 1)
        .call('T.x', 'T#1')
        .post('c', 'fs')
        .turn('b', 2)
        .call('T.y', 'T#1')
        .turn('c', 3)
        .call('T.z', 'T#1'),
    )
    const [x, y, z] = heads
    for (const mine of [x, z]) expect([run.sameTask(mine, y), run.sameTask(y, mine), run.otherTask(mine, y)]).toEqual([false, false, true])
  })
})
