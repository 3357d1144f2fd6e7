/** The history of attempts that led to nothing. */
import { expect, test } from 'vitest'
import { History, type Tried } from '../../src/predict/history.ts'

const SOURCE = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)
const read = (file: string): string | undefined => (file === 'app.js' ? SOURCE.join('\n') : undefined)
const edited =
  (line: number, text = 'changed') =>
  (file: string): string | undefined =>
    file === 'app.js' ? SOURCE.with(line - 1, text).join('\n') : undefined
const tried = (first = 'app.js:5:3 load', second = 'app.js:15:1 end'): Tried => ({
  machine: 'File',
  operations: ['read', 'close'],
  sites: [first, second],
})
const WHEN = new Date(0)

/** Through text, as a file would. */
const again = (history: History, source = read): History => History.load(JSON.parse(JSON.stringify(history.save())), source)

test('what was tried is left out in the next run, whatever the input', () => {
  const history = History.load(undefined, read)
  expect(history.has(tried())).toBe(false)
  expect(history.add(tried(), 'not reached', 'node app.js 1', WHEN)).toBe(true)
  history.add(tried(), 'diverged', 'node app.js 2', WHEN)
  history.add(tried(), 'diverged', 'node app.js 1', WHEN)
  const next = again(history)
  expect(next.find(tried())).toMatchObject({ ended: { 'not reached': 1, diverged: 2 }, inputs: ['node app.js 2', 'node app.js 1'] })
  const other = tried('app.js:6:1')
  expect(next.prune([tried(), other], (t) => t)).toEqual({ kept: [other], pruned: 1 })
})

test('an entry holds as long as the code around both sites is the same', () => {
  const history = History.load(undefined, read)
  history.add(tried(), 'diverged', '', WHEN)
  for (const line of [3, 5, 7, 13, 17]) {
    const next = again(history, edited(line))
    expect([next.has(tried()), again(next).size], `line ${line}`).toEqual([false, 0])
  }
  for (const line of [1, 2, 8, 12, 18]) expect(again(history, edited(line)).has(tried()), `line ${line}`).toBe(true)
  expect(again(history, edited(5, '   line 5  ')).has(tried())).toBe(true)
})

test('without the source nothing is left out, and nothing is lost', () => {
  const history = History.load(undefined, read)
  expect(history.add(tried('elsewhere.js:1:1'), 'diverged', '', WHEN)).toBe(false)
  expect(history.add(tried(''), 'diverged', '', WHEN)).toBe(false)
  expect(history.add(tried('app.js:99:1'), 'diverged', '', WHEN)).toBe(false)
  history.add(tried(), 'diverged', '', WHEN)
  const blind = again(history, () => undefined)
  expect(blind.has(tried())).toBe(false)
  expect(again(blind).has(tried())).toBe(true)
})

test('what failed after all is forgotten', () => {
  const history = History.load(undefined, read)
  history.add(tried(), 'diverged', '', WHEN)
  history.forget(tried())
  expect(history.save().attempts).toEqual([])
})

test('a broken file is a short history', () => {
  const good = { ...tried(), code: 'x', ended: { diverged: 1 }, inputs: [], when: '' }
  const broken: unknown[] = [null, 3, 'x', [], {}, { version: 2, attempts: [good] }, { version: 1, attempts: 'x' }, { version: 1 }]
  for (const json of broken) expect(History.load(json, read).size).toBe(0)
  const entries = [
    good,
    null,
    1,
    { ...good, sites: ['a'] },
    { ...good, machine: 1, ended: 3 },
    { ...good, machine: 'Other', ended: { a: 'x', b: -1 }, inputs: [1] },
  ]
  expect(History.load({ version: 1, attempts: entries }, read).size).toBe(2)
})
