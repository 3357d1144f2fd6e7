/** Chunks of traces: what is found in a chunk holds in the whole, and what chunks find that consecutive events do not. */
import { describe, expect, test } from 'vitest'
import { byHalves, Partition, type Chunk } from '../../src/causal/chunk.ts'
import { parseSymbolic } from '../../src/symbolic/text.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'
import { BRANCH } from '../../src/trace/ops.ts'
import { PathChecker } from '../../src/witness/paths.ts'
import { randomSymbolic } from '../branches/threads-random.ts'
import { flips } from './chunk-brute.ts'
import { randomSections } from './chunk-random.ts'

/** Branches of the whole that chunks flip. Every answer must hold in the whole, without exception. */
function found(symbolic: SymbolicTrace, chunks: Iterable<Chunk>): Set<number> {
  const checker = new PathChecker(symbolic)
  const all = new Set<number>()
  for (const chunk of chunks) {
    for (const [branch, order] of flips(chunk)) {
      const verdict = checker.check(chunk.whole(order, branch), chunk.origin[branch]!)
      if ('rule' in verdict) throw new Error(`branch ${chunk.origin[branch]}: ${verdict.rule}: ${verdict.event} ${verdict.sentence}`)
      all.add(chunk.origin[branch]!)
    }
  }
  return all
}

const sizes = (symbolic: SymbolicTrace): number => symbolic.trace.eventCount

describe('random traces', () => {
  let inChunks = 0
  let inPlain = 0
  let inWhole = 0
  for (const [name, sort] of Object.entries({
    'two tasks': { events: 12, tasks: 2, locks: false, forks: false, updates: false },
    'three tasks, locks': { events: 12, tasks: 3, locks: true, forks: false, updates: false },
    'forks and updates': { events: 12, tasks: 2, locks: true, forks: true, updates: true },
  })) {
    test(name, () => {
      for (let seed = 1; seed <= 25; seed++) {
        const symbolic = randomSymbolic(seed, sort)
        const whole = new Set(flips(symbolic).keys())
        inWhole += whole.size
        for (const window of [2, 3]) {
          const chunks = found(symbolic, new Partition(symbolic, { window }).chunks())
          const plain = found(symbolic, new Partition(symbolic, { window }).plainChunks())
          for (const branch of [...chunks, ...plain]) expect(whole, `seed ${seed}`).toContain(branch)
          inChunks += chunks.size
          inPlain += plain.size
        }
        const all = found(symbolic, new Partition(symbolic, { window: sizes(symbolic) }).chunks())
        expect(all, `seed ${seed}: one chunk is the whole`).toEqual(whole)
      }
    })
  }
  test('a chunk may begin and end inside sections', () => {
    let held = 0
    for (let seed = 1; seed <= 12; seed++) {
      const symbolic = randomSections(seed)
      for (const window of [2, 3, 5]) {
        const all = [...new Partition(symbolic, { window }).chunks()]
        // Two that hold a lock each wait for each other with a join.
        held += all.filter((chunk) => chunk.trace.taskStart.at(-1)! > chunk.trace.taskStart.at(-2)!).length
        found(symbolic, all)
      }
    }
    expect(held).toBeGreaterThan(0)
  })

  // Not a theorem, but what the partition is for. Windows of two sizes were tried on each trace.
  test('chunks find more than consecutive events, and most of all there is', () => {
    expect(inChunks).toBeGreaterThan(inPlain)
    expect(inChunks).toBeGreaterThan(inWhole)
  })
})

test('windows of tasks that are far apart are combined', () => {
  const stretch = (task: string, n: number): string =>
    Array.from({ length: n }, (_, i) => `${task}w(${task.trim() === '' ? 'q' : 'p'}${i})=${i}`).join('\n')
  const symbolic = parseSymbolic(`
T1                 T2
fork(T2)
w(flag)=0
w(flag)=1
${stretch('', 20)}
                   begin
                   r(flag)=1
                   branch(if)=true : flag > 0
${stretch('                   ', 20)}
`)
  const branch = symbolic.trace.op.indexOf(BRANCH)
  expect(found(symbolic, new Partition(symbolic, { window: 4 }).plainChunks())).toEqual(new Set())
  expect(found(symbolic, new Partition(symbolic, { window: 4 }).chunks())).toEqual(new Set([branch]))
})

describe('across the border of a chunk', () => {
  /** The chunk whose windows begin after so many events of each task. */
  const given = (symbolic: SymbolicTrace, ...from: number[]): Chunk =>
    new Partition(symbolic, { window: 100 }).given(
      Int32Array.from(from),
      symbolic.trace.taskStart.slice(1).map((end, t) => end - symbolic.trace.taskStart[t]!),
    )!
  const branches = (chunk: Chunk): string[] => Array.from(flips(chunk).keys(), (b) => chunk.trace.siteName(b))

  test('two tasks that hold a lock each', () => {
    const symbolic = parseSymbolic(`
T1                              T2                              T3
w(x)=0
w(y)=0
acq(l)
                                acq(m)
w(x)=1
                                w(y)=1
r(x)=1
branch(if)=true : x > 0 @a
w(x)=2
rel(l)
                                w(y)=2
                                rel(m)
                                                                acq(l)
                                                                acq(m)
                                                                r(x)=2
                                                                r(y)=2
                                                                branch(if)=false : x === 1 @b
                                                                branch(if)=false : y === 1 @c
                                                                rel(m)
                                                                rel(l)
`)
    // Before the locks are taken T3 could see the zeros, so that only an order that begins with all three does not flip b and c.
    const chunk = given(symbolic, 4, 2, 0)
    expect(chunk.trace.facts.order).toBe('global')
    expect(chunk.trace.taskStart.at(-1)! - chunk.trace.taskStart.at(-2)!).toBe(1)
    expect(branches(chunk)).toEqual([])
    expect(found(symbolic, [chunk])).toEqual(new Set())
  })

  test('a task that holds a lock does not go on before others have theirs', () => {
    const symbolic = parseSymbolic(`
T1                              T2                              T3
acq(l)
                                acq(m)
                                w(x)=1
                                w(x)=2
                                rel(m)
acq(m)
r(x)=2
branch(if)=false : x === 1 @a
rel(m)
rel(l)
                                                                acq(l)
                                                                rel(l)
`)
    const chunk = given(symbolic, 1, 2, 0)
    expect(chunk.trace.tables.values.textOf(chunk.trace.value[chunk.trace.taskStart.at(-3)!]!)).toBe('1')
    expect(branches(chunk)).toEqual([])
  })

  test('a lock taken twice stays taken after one release', () => {
    const symbolic = parseSymbolic(`
T1                              T2
w(x)=0
acq(l)
acq(l)
w(x)=1
rel(l)
w(x)=2
rel(l)
                                acq(l)
                                r(x)=2
                                branch(if)=false : x === 1 @a
                                rel(l)
`)
    expect(branches(given(symbolic, 4, 0))).toEqual([])
    expect(branches(given(symbolic, 0, 0))).toEqual([])
  })

  test('a wake that was notified before, and one that was not', () => {
    const symbolic = parseSymbolic(`
T1                              T2
w(x)=0
                                acq(l)
                                rel(l)
notify(s)
                                wake(s)
                                acq(l)
                                r(x)=0
                                branch(if)=true : x === 0 @a
                                rel(l)
w(x)=1
`)
    expect(branches(given(symbolic, 2, 2))).toEqual(['a'])
    expect(branches(given(symbolic, 1, 2))).toEqual(['a'])
    expect(found(symbolic, [given(symbolic, 2, 2), given(symbolic, 1, 2), given(symbolic, 1, 0)]).size).toBe(1)
  })

  test('a join of a task that goes on', () => {
    const symbolic = parseSymbolic(`
T1                              T2
fork(T2)
w(x)=0
                                w(x)=1
                                w(x)=2
                                w(x)=3
join(T2)
r(x)=3
branch(if)=true : x === 3 @a
`)
    const short = new Partition(symbolic, { window: 100 }).given(Int32Array.of(2, 0), Int32Array.of(5, 2))!
    expect([...short.to]).toEqual([2, 2])
    expect(branches(given(symbolic, 2, 0))).toEqual([])
  })

  test('values from before the chunk, through expressions too', () => {
    const symbolic = parseSymbolic(`
T1                              T2
w(x)=5
r(x)=5
w(y)=6 : x + 1
                                w(z)=1
r(y)=6
r(z)=1
branch(if)=true : y + x + z === 12 @a
`)
    const chunk = given(symbolic, 3, 0)
    expect(branches(chunk)).toEqual([])
    const late = given(symbolic, 3, 1)
    expect(branches(late)).toEqual([])
    // z starts with a value that nobody saw, so nobody can tell; y and x are known.
    expect(chunk.trace.tables.locations.find('x')).toBe(-1)
  })

  test('an update is not cut in two', () => {
    const symbolic = parseSymbolic(`
T1                              T2
ra(x)=0
                                ra(y)=0
u(x)=1 : x + 1
                                ra(x)=1
                                u(x)=2 : x + 1
                                r(x)=2
                                branch(if)=true : x === 2 @a
`)
    const chunk = given(symbolic, 1, 0)
    expect(chunk.from[0]).toBe(0)
    expect(found(symbolic, [chunk])).toEqual(new Set(flips(symbolic).keys()))
  })
})

test('the budget, and what was left', () => {
  const symbolic = randomSymbolic(7, { events: 60, tasks: 3, locks: true, forks: false, updates: true })
  const all = new Partition(symbolic, { window: 4 })
  const made = [...all.chunks()].length
  const few = new Partition(symbolic, { window: 4, most: 3 })
  expect([...few.chunks()].length).toBe(3)
  expect(few.counts.left).toBe(made - 3)
  expect(all.combinations).toBeGreaterThan(BigInt(made))
  const none = new Partition(symbolic, { window: 4 })
  expect([...none.chunks(() => false)]).toEqual([])
})

test('positions come by halves, each once', () => {
  expect([...byHalves(9)]).toEqual([0, 8, 4, 2, 6, 1, 3, 5, 7])
  expect([...byHalves(1)]).toEqual([0])
  expect([...byHalves(0)]).toEqual([])
  expect([...byHalves(100)].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
})
