/** Two failures of one cause are one finding; two causes stay two, whatever the error is. */
import { expect, test } from 'vitest'
import { onePerCause } from '../../src/cause/one-per-cause.ts'
import { NOT_ISOLATED } from '../../src/cause/find.ts'
import type { Finding } from '../../src/confirm/confirm.ts'
import type { SeenViolation } from '../../src/property/seen.ts'
import type { OrderRow } from '../../src/schedule/order.ts'
import type { Saved } from '../../src/schedule/saved.ts'

const row = (site: string): OrderRow => ({
  turn: { label: 'A', nth: 1 },
  name: 'A',
  chain: 'A',
  offLoop: false,
  posted: '',
  at: 0,
  accesses: [{ access: 'write', location: 'head', site }],
})

const finding = (
  fingerprint: string,
  shape: string,
  lines: readonly string[],
  location = 'head',
  kind = 'order-violation',
): Finding<Saved> =>
  ({
    status: 'FAILED',
    replays: { runs: 3, failures: 3 },
    ordered: true,
    earlier: false,
    note: undefined,
    violation: undefined,
    failure: { how: 'signal', message: shape, detail: [], shape },
    cause: { proof: 'cause', asRecorded: 'passed', alone: 'failed', shrunk: { before: 1, after: 1, replays: 0, least: true } },
    prediction: {
      fingerprint,
      kind,
      pattern: 'write order',
      summary: '',
      sites: lines,
      locations: [location],
      observed: lines.map(row),
      failing: [],
      why: [],
      count: 1,
      schedule: {},
    },
  }) as unknown as Finding<Saved>

const ids = (findings: readonly Finding<Saved>[]): string[] =>
  findings.map(({ prediction, also = [] }) => [prediction, ...also.map((other) => other.prediction)].map((p) => p.fingerprint).join('+'))

test('a crash and an assertion with the same two lines are one finding', () => {
  const found = onePerCause([
    finding('a', 'SIGSEGV', ['queue.c:18:3 put', 'queue.c:27:5 take'], 'node#1+8'),
    finding('b', 'assertion', ['queue.c:27:9 take', 'queue.c:18:1 put'], 'node#2+16', 'data-race'),
  ])
  expect(ids(found)).toEqual(['a+b'])
})

test('the same error with other lines, or elsewhere, stays apart', () => {
  const lines = ['queue.c:18:3 put', 'queue.c:27:5 take']
  const found = onePerCause([
    finding('a', 'SIGSEGV', lines),
    finding('b', 'SIGSEGV', ['queue.c:40:3 stop', 'queue.c:27:5 take']),
    finding('c', 'SIGSEGV', lines, 'tail'),
  ])
  expect(ids(found)).toEqual(['a', 'b', 'c'])
})

test('failures whose cause is not known stay apart', () => {
  const lines = ['queue.c:18:3 put', 'queue.c:27:5 take']
  const found = onePerCause([finding('a', 'x', lines, 'head', NOT_ISOLATED), finding('b', 'y', lines, 'head', NOT_ISOLATED)])
  expect(ids(found)).toEqual(['a', 'b'])
})

/** `use`: where a thread made at `made` uses what main frees at `free`. */
const freed = (id: string, free: string, use: string, made: string): Finding<Saved> => {
  const one = finding(id, `use after free: ${use}`, [use, free], 'queue.c:69#1', 'typestate')
  const [uses, frees] = [{ ...row(use), posted: made }, row(free)]
  const event = (site: string): SeenViolation['events'][number] => ({
    name: '',
    does: '',
    what: '',
    object: '',
    stack: [site],
    turn: '',
    task: '',
  })
  const violation: SeenViolation = {
    property: 'Memory',
    kind: 'typestate',
    confirm: 'violation',
    rule: 'use after free',
    says: '',
    binding: {},
    events: [event(free), event(use)],
    shape: '',
  }
  return {
    ...one,
    violation,
    prediction: { ...one.prediction, pattern: 'use after free', observed: [uses, frees], failing: [frees, uses] },
  }
}

test('uses of a block after one free, by threads made at one place, are one finding', () => {
  const [free, made] = ['queue.c:85 main', 'queue.c:74 main']
  const found = onePerCause([
    freed('a', free, 'queue.c:44 take', made),
    freed('b', free, 'queue.c:46 take', made),
    freed('c', 'queue.c:90 stop', 'queue.c:44 take', made),
    freed('d', free, 'queue.c:44 take', 'queue.c:75 main'),
  ])
  expect(found.map(({ also = [] }) => also.map(({ prediction }) => prediction.fingerprint))).toEqual([['b'], [], []])
  expect(new Set(ids(found)).size).toBe(3)
})

test('their id does not say which use came too late this time', () => {
  const [free, made] = ['queue.c:85 main', 'queue.c:74 main']
  const idOf = (use: string): string => ids(onePerCause([freed(use, free, use, made)]))[0]!
  expect(idOf('queue.c:44 take')).toBe(idOf('queue.c:46 take'))
})
