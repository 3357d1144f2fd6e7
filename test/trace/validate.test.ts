import { describe, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { HeddleError } from '../../src/errors.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { NOTIFY, READ, RELEASE, WAKE, ACQUIRE, NOTIFY_ALL } from '../../src/trace/ops.ts'
import { parseText } from '../../src/trace/text.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { validate } from '../../src/trace/validate.ts'
import { randomTrace } from './random-trace.ts'

const verdict = (trace: string | Trace): string => {
  try {
    validate(typeof trace === 'string' ? parseText(trace, 'f') : trace)
  } catch (error) {
    if (error instanceof HeddleError) return `${error.code} ${error.fact}`
    throw error
  }
  return 'fine'
}

describe('what no run can have done', () => {
  test.each([
    ['release-not-held f:1: "T1" releases "l"', 'T1\nrel(l)'],
    ['release-not-held f:4: "T1" releases "l"', 'T1\nacq(l)\nacqS(l)\nrel(l)\nrel(l)'],
    ['release-not-held f:2: "T1" releases "l"', 'T1\nacqS(l)\nrel(l)'],
    ['release-not-held f:2: "T2" releases "l"', 'T1     T2\nacq(l)\n       rel(l)'],
    ['lock-held-twice f:3: "T2" acquires "l", which another task has held since 1', 'T1     T2\nacq(l)\nacq(l)\n       acq(l)'],
    ['lock-held-twice f:2: "T2" acquires "l"', 'T1      T2\nacqS(l)\n        acq(l)'],
    ['lock-held-twice f:2: "T2" acquires "l"', 'T1      T2\nacq(l)\n        acqS(l)'],
    ['join-unknown f:1: join of "T2"', 'T1\njoin(T2)'],
    ['join-too-early f:2: join of "T2", which still has an event at 3', 'T1       T2\n         r(x)\njoin(T2)\n         r(x)'],
    ['event-before-fork f:1: "T2" has an event before its fork at 2', 'T1       T2\n         r(x)\nfork(T2)'],
    ['forked-twice f:2: "T2" is forked a second time', 'T1       T2\nfork(T2)\nfork(T2)'],
    ['self-fork f:1: "T1" has a fork of itself', 'T1\nfork(T1)'],
    ['self-fork f:1: "T1" has a join of itself', 'T1\njoin(T1)'],
    ['try-without-holder f:1: "T1" fails to take "l"', 'T1\ntry(l)'],
    ['try-without-holder f:2: "T1" fails to take "l"', 'T1\nacq(l)\ntry(l)'],
    ['try-without-holder f:2: "T1" fails to take "l"', 'T1      T2\n        acqS(l)\ntryS(l)'],
    ['wake-without-notify f:1: "T1" wakes from "g"', 'T1\nwake(g)'],
    ['wake-without-notify f:4: "T1" wakes from "g"', 'T1       T2\nacq(l)\n         notify(g)\nrel(l)\nwake(g)'],
    [
      'wake-without-notify f:6: "T1" wakes from "g"',
      'T1       T2\n         acq(l)\n         notifyAll(g)\n         rel(l)\nacqS(l)\nrelS(l)\nwake(g)',
    ],
    ['wake-without-notify f:3: "T1" wakes from "g"', 'T1       T2\n         notify(g)\nwake(g)\nwake(g)'],
    ['wake-without-notify f:1: "T1" wakes from "g"', 'T1       T2\nwake(g)\n         notifyAll(g)'],
    ['update-without-read f:1: "T1" updates "x"', 'T1\nu(x)=1'],
    ['update-without-read f:2: "T1" updates "x"', 'T1\nr(x)=0\nu(x)=1'],
    ['update-without-read f:2: "T1" updates "y"', 'T1\nra(x)=0\nu(y)=1'],
    ['update-without-read f:3: "T1" updates "x"', 'T1\nra(x)=0\nr(y)=0\nu(x)=1'],
    ['update-without-read f:2: "T2" updates "x"', 'T1       T2\nra(x)=0\n         u(x)=1'],
    ['update-divided f:3: "T1" updates "x", which another task writes at 2', 'T1       T2\nra(x)=0\n         wa(x)=1\nu(x)=1'],
    ['update-divided f:4: "T1" updates "x"', 'T1       T2\nra(x)=0\n         ra(x)=0\n         u(x)=1\nu(x)=1'],
  ])('%s', (expected, drawing) => expect(verdict(drawing)).toContain(expected))
})

test.each([
  ['T1     T2\nacq(l)\nrel(l)\n       acq(l)'],
  ['T1      T2\nacqS(l)\n        acqS(l)\nrelS(l)\n        relS(l)'],
  ['T1\nacqS(l)\nacq(l)\nrel(l)\nrelS(l)'],
  ['T1\nfork(T2)\njoin(T2)'],
  ['T1       T2\nfork(T2)\n         r(x)\njoin(T2)'],
  ['T1       T2\n         notify(g)\nwake(g)'],
  ['T1       T2\nacq(l)\nrel(l)\n         notify(g)\nwake(g)\nacq(l)'],
  ['T1       T2\n         notifyAll(g)\nwake(g)\nwake(g)'],
  ['T1\nexit(f)'],
  ['T1       T2\nra(x)=0\n         r(x)=0\n         wa(y)=1\nu(x)=1\n         ra(x)=1\n         u(x)=2'],
  ['order: task\nT1       T2\nra(x)=0\n         wa(x)=1\nu(x)=1'],
  ['T1       T2\nacqS(l)\nra(x)=0\nrelS(l)\n         acq(l)\n         notifyAll(g)\n         rel(l)\nwake(g)'],
  ['order: task\nT1       T2\nacq(l)\n         acq(l)\n         wake(g)\njoin(T2)\nfork(T2)\n         r(x)'],
])('possible: %j', (drawing) => expect(verdict(drawing)).toBe('fine'))

test('random runs are possible', () => {
  for (let seed = 0; seed < 500; seed++) {
    const trace = randomTrace(seed, { hostile: seed % 2 === 1, events: 80 })
    // Ends of random runs carry no meaning, so only joins that came before a later event may fail.
    expect(verdict(trace)).toMatch(/^(fine|join-too-early)/)
  }
})

test('wakes are matched as brute force does', () => {
  const random = new Random(11)
  const seen = new Map<boolean, number>()
  for (let k = 0; k < 3000; k++) {
    const b = new TraceBuilder()
    const tasks = ['A', 'B', 'C', 'N'].map((name) => b.task(name))
    const signal = b.signals.intern('g')
    const lock = ['a', 'b', 'c'].map((name) => b.locks.intern(name))
    const waits: { opens: number; closes: number }[] = []
    const state = [-1, -1, -1]
    const notifies: { at: number; all: boolean }[] = []
    for (let i = 1; i <= 12; i++) {
      const t = random.below(5)
      if (t >= 3) {
        const all = random.chance(0.1)
        b.add(tasks[3]!, all ? NOTIFY_ALL : NOTIFY, signal, 0, -1, i)
        notifies.push({ at: i, all })
      } else if (state[t]! >= 0) {
        b.add(tasks[t]!, WAKE, signal, 0, -1, i)
        b.add(tasks[t]!, READ, b.locations.intern('x'), 0, -1, i)
        waits.push({ opens: state[t]!, closes: i })
        state[t] = -1
      } else {
        if (random.chance(0.7)) {
          b.add(tasks[t]!, ACQUIRE, lock[t]!, 0, -1, i)
          b.add(tasks[t]!, RELEASE, lock[t]!, 0, -1, i)
          state[t] = i
        } else state[t] = 0
      }
    }
    const serve = (w: number, used: Set<number>): boolean => {
      if (w === waits.length) return true
      const { opens, closes } = waits[w]!
      return notifies.some(({ at, all }) => {
        if (at <= opens || at >= closes || used.has(at)) return false
        return serve(w + 1, all ? used : new Set([...used, at]))
      })
    }
    const possible = serve(0, new Set())
    seen.set(possible, (seen.get(possible) ?? 0) + 1)
    expect(verdict(b.finish())).toMatch(possible ? /^fine/ : /^wake-without-notify/)
  }
  expect(Math.min(...seen.values())).toBeGreaterThan(300)
})
