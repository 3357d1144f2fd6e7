/** What a failing run of threads does otherwise than the recorded one, in the order in which it does. */
import { expect, test } from 'vitest'
import { departuresIn } from '../../src/cause/departures.ts'
import type { Joined } from '../../src/trace/joined.ts'
import { compile } from '../frontends/litmus/compile.ts'
import { follow } from '../frontends/litmus/follow.ts'
import { joinedOf } from '../frontends/litmus/threads-trace.ts'
import { Threads } from '../frontends/litmus/threads.ts'

const SHUTDOWN = `var ready = 0, stopped = 0
thread client:
  assert stopped != 1
thread worker:
  if ready == 1 {
    stopped = 1
  }
thread server:
  ready = 1
`

/** Each thread in its turn, for so many steps. */
function ran(...order: readonly (readonly [task: string, steps: number])[]): Joined {
  const threads = new Threads(compile(SHUTDOWN))
  const { taken, state } = follow(threads, {
    steps: [['main', 4] as const, ...order].map(([task, upTo]) => ({ task, upTo, does: '', site: '', note: '' })),
  })
  return joinedOf(threads.program, taken, threads.stands(state))
}

test('each thread is told once, what opens a path before what happens on it', () => {
  const departures = departuresIn(ran(['client', 3]), ran(['server', 2], ['worker', 3]))
  expect(departures.map((text) => text.replace(/ \(.*/, ''))).toEqual(['worker to read ready = 1', 'client to read stopped = 1'])
  expect(departures[0]).toContain('recorded 0')
})

test('a run that sees the same has none', () => {
  expect(departuresIn(ran(['client', 3]), ran(['worker', 3]))).toEqual([])
})
