/** Which of the conflicts of one failure is named. Each class was once named wrongly among random programs (oracle.test.ts). */
import { expect, test } from 'vitest'
import type { Timers } from '../../src/schedule/schedule.ts'
import { checkLitmus, failed } from '../frontends/litmus/check-litmus.ts'

interface Class {
  readonly name: string
  readonly text: string
  /** Of threads the number of the recorded order; of tasks how timers come. */
  readonly as: { readonly order: number } | { readonly timers: Timers }
  /** Kind, and the lines in the failing order. */
  readonly expected: readonly [string, ...string[]]
}

const CLASSES: readonly Class[] = [
  {
    name: 'who breaks in does more there: wholly before the other it fails, too, so the order is told',
    text: `var x = 0, y = 0, f = 0
thread A:
  if y == 0 {
    y = 2
  }
thread B:
  assert x != 1
thread C:
  lock n
  r = y
  y = r + 1
  unlock n
final assert y == 3`,
    as: { order: 87 },
    expected: ['order-violation', 'C 10', 'A 4'],
  },
  {
    name: 'a task that comes wholly after both updates fails, too',
    text: `var y = 0
task A:
  y = load f in 1
task B:
  r = y
  fetch 1
  y = r + 1
  sleep 5
  r = y
  fetch 3
  y = r + 1
final assert y == 2`,
    as: { timers: 'due' },
    expected: ['order-violation', 'B 7', 'A 3'],
  },
  {
    name: 'an update that the recorded run breaks into, too, is not told as broken',
    text: `var y = 0
task A:
  r = y
  fetch 1
  y = r + 1
task B:
  r = y
  fetch 3
  y = r + 1
  sleep 5
  r = y
  fetch 3
  y = r + 1
final assert y == 2`,
    as: { timers: 'latency' },
    expected: ['order-violation', 'B 13', 'A 5'],
  },
  {
    name: 'of two writes, the second of which relies on a read, the read comes too early',
    text: `var x = 0, y = 0, f = 0
thread A:
  if x == 1 {
    y = 3
  }
  x = 3
thread B:
  r = x
  x = r + 1
  r = x
  x = r + 1
thread C:
  lock m
  y = x
  unlock m
  lock m
  f = 1
  notifyAll c
  unlock m
final assert x == 5
final assert y == 0`,
    as: { order: 490 },
    expected: ['order-violation', 'B 8', 'A 6'],
  },
  {
    name: 'an update behind which there is another one of the same thread',
    text: `var y = 0
thread A:
  y = 3
thread B:
  y = y
  y = y
final assert y == 3`,
    as: { order: 1752 },
    expected: ['atomicity', 'B 5', 'A 3', 'B 5'],
  },
  {
    name: 'two reads of one thread that belong together',
    text: `var x = 0, y = 0, f = 0
thread A:
  lock n
  r = y
  y = r + 1
  unlock n
  lock m
  add y 1
  unlock m
thread B:
  if y == 1 {
    x = 3
  }
  r = y
  assert r == y
final assert y == 2`,
    as: { order: 431 },
    expected: ['atomicity', 'B 14', 'A 8', 'B 15'],
  },
  {
    name: 'who looked too early, and had nothing to do in the recorded run, breaks into a check and an act',
    text: `var left = 1, taken = 0
thread A:
  if left == 1 {
    left = 0
    add taken 1
  }
thread B:
  if left == 1 {
    left = 0
    add taken 1
  }
final assert taken == 1`,
    as: { order: 1 },
    expected: ['atomicity', 'A 3', 'B 8', 'A 4'],
  },
  {
    name: 'a write of a third thread in between has nothing to do with it',
    text: `var x = 0
thread A:
  add x 1
thread B:
  assert x != 0
thread C:
  if x == 1 {
    x = 1
  }
final assert x == 1`,
    as: { order: 1266 },
    expected: ['order-violation', 'B 5', 'A 3'],
  },
  {
    name: 'an update that is late as a whole, and with it what follows: with the update alone in time it fails as well, so it is not told',
    text: `var x = 0, y = 0
task A:
  q = load f
  save f q + 1
  y = 2
  save f 1 in 1
task B:
  save f 2 in 4
  assert y != 0
task C:
  x = x
  assert y != 1
  q = load f
  save f q + 1
final assert x == 0
final assert y == 2`,
    as: { timers: 'latency' },
    expected: ['order-violation', 'B 9', 'A 5'],
  },
  {
    name: 'a write too late, of a flow that writes there again: the last write is told',
    text: `var x = 0, y = 0
task A:
  y = load f in 1
  r = x
  fetch 1
  x = r + 1
  sleep 2
  x = 1
task B:
  x = load f in 4
  x = load f in 4
final assert x == 0
final assert y == 0`,
    as: { timers: 'due' },
    expected: ['order-violation', 'B 11', 'A 8'],
  },
]

for (const { name, text, as, expected } of CLASSES)
  test(name, async () => {
    const told = failed(await checkLitmus(text, { ...as, options: { picture: 0 } })).map(({ prediction: { kind, failing } }) => [
      kind,
      ...failing.map(({ accesses: [one] }) => one!.site.replace(/^litmus:(\d+)\S* (\w+)$/, '$2 $1')),
    ])
    expect(told).toContainEqual(expected)
  })

test('what fails with the named order as recorded, too, in a run that nobody had asked for, is one way to fail, and the other is named', async () => {
  const text = `var x = 0, y = 0
task A:
  q = load f
  save f q + 1
  r = y
  y = r + 1
  save f 3 in 4
task B:
  y = load f in 4
final assert x == 0
final assert y == 1`
  const [finding] = failed(await checkLitmus(text, { timers: 'due', options: { picture: 0 } }))
  expect(finding!.cause).toMatchObject({ proof: 'one way', other: 'variable y can be changed before it is read.' })
})

test('two causes of one error are two findings, each with what belongs to it, unless only one is asked for', async () => {
  const text = `var x = 0, y = 0
thread A:
  r = x
  x = r + 1
thread B:
  r = x
  x = r + 1
thread C:
  r = y
  y = r + 1
thread D:
  r = y
  y = r + 1
final assert x + y == 4`
  const causes = async (maxFindings: number): Promise<string[][]> =>
    failed(await checkLitmus(text, { order: 1, options: { picture: 0, maxFindings } })).map(({ prediction, also = [] }) =>
      [prediction, ...also.map((other) => other.prediction)].map(({ locations }) => locations[0]!),
    )
  const both = await causes(20)
  expect(both).toHaveLength(2)
  expect(both.map((one) => new Set(one).size)).toEqual([1, 1])
  expect(both.map(([where]) => where).sort()).toEqual(['x', 'y'])
  expect(await causes(1)).toHaveLength(1)
})
