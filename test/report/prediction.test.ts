import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { predict, type PredictOptions } from '../../src/predict/predict.ts'
import { documentJson } from '../../src/report/finding-json.ts'
import { MOST_LINES, predictionText } from '../../src/report/prediction-text.ts'
import { traceDocument, traceInPieces } from '../../src/report/trace-finding.ts'
import { totalsOf } from '../adds-up.ts'
import { openTrace } from '../../src/trace/open.ts'
import { parseText } from '../../src/trace/text.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { Checker } from '../../src/witness/check.ts'
import { golden } from '../cli/run.ts'
import { violations } from './schema.ts'

const schema = JSON.parse(readFileSync(new URL('../../docs/finding.schema.json', import.meta.url), 'utf8')) as Record<string, unknown>

const account = openTrace('examples/account.txt')

const deadlock = parseText(`
T1             T2
acq(a) @d.js:1
acq(b) @d.js:2
rel(b)
rel(a)
               acq(b) @d.js:7
               acq(a) @d.js:8
               rel(a)
               rel(b)
`)

const lostWakeUp = parseText(`
main         T1             T2
fork(T1)
fork(T2)
             acq(l)
             rel(l) @w.js:3
                            notify(g) @w.js:9
             wake(g) @w.js:3
             acq(l) @w.js:3
             rel(l)
`)

const atomic = parseText(`
T1                T2
atomic(pay)
r(x)=1 @a.js:1
r(x)=1 @a.js:2
w(y)=1 @a.js:3
r(y)=1 @a.js:4
w(z)=1 @a.js:5
w(z)=2 @a.js:6
atomicEnd(pay)
                  w(x)=7 @b.js:1
                  w(y)=7 @b.js:2
                  r(z)=2 @b.js:3
`)

const hostile = parseText(`
"T\\u001b[31m"                    "T\\u202e2"
w("x\\u0007\\u009b2J")=1 @"a\\rb.js"
                                  r("x\\u0007\\u009b2J")="\\u001b]0;title\\u0007" @"\\u2028.js"
`)

const wide = parseText(
  [
    Array.from({ length: 12 }, (_, i) => `worker-with-a-long-name-${i}`.padEnd(60))
      .join('')
      .trimEnd(),
    ...Array.from(
      { length: 12 },
      (_, i) => `${' '.repeat(60 * i)}w(a.location.with.a.very.long.name.indeed)=${i} @some/long/path/file${i}.js:1`,
    ),
  ].join('\n'),
)

const given = {
  version: '1.2.3',
  root: '/nowhere',
  started: new Date(0),
  seconds: 0.25,
  declared: () => undefined,
  order: false,
  ungrouped: false,
}

async function json(trace: Trace, options: PredictOptions & { order?: boolean } = {}): Promise<Record<string, any>> {
  const found = await predict(trace, options)
  const how = { ...given, ungrouped: options.ungrouped ?? false, order: options.order ?? false }
  const text = [...documentJson(traceInPieces(trace, found, how))].join('')
  expect([...documentJson(traceDocument(trace, found, how))].join('')).toBe(text)
  expect(totalsOf(found.coverage).feasible).toBe(found.predictions.length)
  const value = JSON.parse(text) as Record<string, any>
  expect(violations(schema, value)).toEqual([])
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
  return value
}

async function text(trace: Trace, options: PredictOptions & { width?: number; limit?: number; colour?: boolean } = {}): Promise<string> {
  const found = await predict(trace, options)
  const { width = 100, limit = 10, colour = false } = options
  return [...predictionText(trace, found, { width, limit, colour, seconds: 0 })].join('')
}

describe('json', () => {
  test('keeps its schema for every kind', async () => {
    for (const trace of [account, deadlock, lostWakeUp, atomic, hostile, wide]) {
      for (const ungrouped of [false, true]) {
        for (const model of ['sync', 'data', 'maximal'] as const) {
          for (const order of [false, true]) {
            const { findings } = await json(trace, { ungrouped, model, order })
            for (const p of findings) expect('order' in p.witness).toBe(order)
            for (const p of findings) expect([p.status, 'schedule' in p, p.sites.length]).toEqual(['PREDICTED', false, p.events.length])
          }
        }
      }
    }
  })

  test('the schema refuses what it should', async () => {
    const good = await json(account)
    expect(violations(schema, { ...good, schema: 2 })).toEqual(['$.schema is not 3'])
    expect(violations(schema, { ...good, more: 1 })).toEqual(['$.more is not in the schema'])
    expect(violations(schema, { ...good, findings: [{}] })).toHaveLength(14)
  })

  test('the witness it prints is the one that was checked', async () => {
    const { findings } = await json(account, { order: true })
    expect(findings.length).toBe(4)
    const byPosition = new Map(Array.from(account.stamp, (stamp, e) => [stamp, e]))
    const found = await predict(account)
    for (const [i, p] of findings.entries()) {
      const order = Int32Array.from(p.witness.order, (position: number) => byPosition.get(position)!)
      expect(new Checker(account, 'maximal').check(found.predictions[i]!.candidate, order)).toBeUndefined()
      // The difference says the same: what runs of the first recorded events, then what moved.
      const left = new Map<string, number>(p.witness.tasks)
      for (const [task, count] of p.witness.moved as [string, number][]) left.set(task, left.get(task)! - count)
      const names: string[] = []
      for (const e of account.recordedOrder().subarray(0, p.witness.kept)) {
        const task = account.taskName(account.taskOf(e))
        if ((left.get(task) ?? 0) === 0) continue
        left.set(task, left.get(task)! - 1)
        names.push(task)
      }
      for (const [task, count] of p.witness.moved as [string, number][]) for (let k = 0; k < count; k++) names.push(task)
      expect(names).toEqual(Array.from(order, (e) => account.taskName(account.taskOf(e))))
    }
  })

  test('deadlocks say what is waited for and held', async () => {
    const { findings } = await json(deadlock, { kinds: ['deadlock'] })
    expect(findings[0]).toMatchObject({ locks: ['b', 'a'], held: [['a'], ['b']], tasks: ['T1', 'T2'], sites: ['d.js:2', 'd.js:8'] })
  })
})

describe('text', () => {
  test('every kind is drawn with both orders', async () => {
    const parts = [await text(deadlock), await text(lostWakeUp), await text(atomic, { kinds: ['atomicity', 'order-violation'] })]
    golden('report-kinds.txt', parts.join('\n'))
  })

  test('at most 25 lines a finding, no line wider than the terminal', async () => {
    for (const trace of [account, deadlock, lostWakeUp, atomic, hostile, wide]) {
      for (const width of [60, 80, 100, 200]) {
        for (const part of (await text(trace, { width, limit: 1000 })).split(/^(?=\d+\. PREDICTED)/m).slice(0, -1)) {
          const lines = part.trimEnd().split('\n')
          expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
          // Sentences break at spaces, so only names that are longer than a line may stick out.
          if (trace !== wide && trace !== hostile) expect(Math.max(...lines.map((l) => l.length))).toBeLessThanOrEqual(width)
        }
      }
    }
  })

  test('nothing from a trace reaches the terminal raw', async () => {
    const plain = await text(hostile)
    // eslint-disable-next-line no-control-regex
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
    expect(plain).toContain('PREDICTED')
    // eslint-disable-next-line no-control-regex
    const codes = new Set((await text(hostile, { colour: true })).match(/\u001b[^m]*m/g))
    expect([...codes].sort()).toEqual(['\u001b[1m', '\u001b[22m', '\u001b[33m', '\u001b[36m', '\u001b[39m'])
  })
})
