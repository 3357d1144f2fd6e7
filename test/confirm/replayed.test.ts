/** Orders that were replayed without a failure are remembered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Finding, Status } from '../../src/confirm/confirm.ts'
import { Replayed } from '../../src/confirm/replayed.ts'
import type { Recording } from '../../src/frontends/contract.ts'
import type { Prediction } from '../../src/predict/prediction.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { Store } from '../../src/store/store.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-replayed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const store = Store.open(root)
writeFileSync(join(root, 'a.test.js'), 'one')
writeFileSync(join(root, 'b.js'), 'two')

const recording = (modules: string[]): Recording =>
  ({ timers: 'due', observed: { runtime: 'node v20', modules, skipped: [], events: 1 } }) as Partial<Recording> as Recording
const of = (name: string, version = '1', modules = ['b.js']): Replayed | undefined =>
  Replayed.of(store, { file: 'a.test.js', name }, recording(modules), root, version)
const predictions = (...fingerprints: string[]): Iterator<Prediction> =>
  fingerprints.map((fingerprint) => ({ fingerprint }) as Prediction)[Symbol.iterator]()
const finding = (fingerprint: string, status: Status, failures = 0): Finding<Saved> =>
  ({ prediction: { fingerprint }, status, replays: { runs: 1, failures } }) as Partial<Finding<Saved>> as Finding<Saved>
const fresh = (replayed: Replayed | undefined, ...all: string[]): string[] =>
  [...replayed!.fresh(predictions(...all))].map((one) => one.fingerprint)

test('only orders that ended without a failure are left out the next time, and one that timed out comes last', () => {
  const all = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff']
  const first = of('t')
  expect(fresh(first, ...all)).toEqual(all)
  first!.keep([
    finding('aa', 'REPRODUCED'),
    finding('bb', 'DIVERGED'),
    finding('cc', 'NOT REACHED'),
    finding('dd', 'TIMED OUT'),
    finding('ee', 'REPRODUCED', 1),
    finding('ff', 'PREDICTED'),
  ])
  const second = of('t')
  expect(fresh(second, ...all)).toEqual(['ee', 'ff', 'dd'])
  expect(second!.leftOut).toBe(3)
  expect(fresh(of('another'), ...all)).toEqual(all)
})

test('another version of Heddle, other modules or changed ones: everything is new', () => {
  of('u')!.keep([finding('aa', 'REPRODUCED')])
  expect(fresh(of('u'), 'aa')).toEqual([])
  expect(fresh(of('u', '2'), 'aa')).toEqual(['aa'])
  expect(fresh(of('u', '1', []), 'aa')).toEqual(['aa'])
  writeFileSync(join(root, 'b.js'), 'changed')
  expect(fresh(of('u'), 'aa')).toEqual(['aa'])
  expect(of('u', '1', ['gone.js'])).toBeUndefined()
})

test('a broken file is an empty one', () => {
  const replayed = of('v')!
  replayed.keep([finding('aa', 'REPRODUCED')])
  expect(fresh(of('v'), 'aa')).toEqual([])
  const { name } = replayed as unknown as { name: string }
  const kept = store.get('history', name) as object
  for (const broken of [{ orders: ['aa', 7] }, { orders: 'aa' }, { code: 7 }, { version: 2 }]) {
    store.put('history', name, { ...kept, ...broken })
    expect(fresh(of('v'), 'aa')).toEqual(['aa'])
  }
})
