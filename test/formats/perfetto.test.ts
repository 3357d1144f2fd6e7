import { expect, test } from 'vitest'
import type { Picture, PictureRun } from '../../src/picture/picture.ts'
import type { CheckDocument } from '../../src/report/document.ts'
import { perfettoReport } from '../../src/report/perfetto.ts'
import { documentWith, everyFinding, evilDocument, findingWith } from './findings.ts'

interface TraceEvent {
  readonly ph: string
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly id?: number
  readonly args: Record<string, unknown>
}

/** What the viewer takes for granted: slices of a lane do not overlap, flows and instants lie inside a slice. */
function trace(document: CheckDocument): { traceEvents: TraceEvent[]; otherData: Record<string, unknown> } {
  const all = JSON.parse([...perfettoReport(document)].join('')) as ReturnType<typeof trace>
  const lanes = new Map<string, TraceEvent[]>()
  const lane = ({ pid, tid }: TraceEvent): TraceEvent[] => {
    const key = `${pid} ${tid}`
    if (!lanes.has(key)) lanes.set(key, [])
    return lanes.get(key)!
  }
  for (const event of all.traceEvents.filter(({ ph }) => ph === 'X')) {
    const last = lane(event).at(-1)
    if (last) expect(event.ts).toBeGreaterThanOrEqual(last.ts + last.dur!)
    lane(event).push(event)
  }
  for (const event of all.traceEvents.filter(({ ph }) => 'isf'.includes(ph)))
    expect(lane(event).some(({ ts, dur }) => event.ts >= ts && event.ts < ts + dur!)).toBe(true)
  const ids = (ph: string): unknown[] => all.traceEvents.filter((e) => e.ph === ph).map((e) => e.id)
  expect(ids('s')).toEqual(ids('f'))
  expect(ids('b')).toEqual(ids('e'))
  const used = [...ids('s'), ...ids('b')]
  expect(new Set(used).size).toBe(used.length)
  const processes = new Map<number, number>()
  for (const { tid, pid } of all.traceEvents.filter((e) => e.tid !== undefined)) {
    expect(processes.get(tid) ?? pid).toBe(pid)
    processes.set(tid, pid)
  }
  return all
}

const run = (over: Partial<PictureRun>): PictureRun => ({
  blocks: [
    { lane: 0, name: 0, from: 0, to: 2, at: 1 },
    { lane: 1, name: 1, from: 2, to: 3, at: 2 },
    { lane: 0, name: 0, from: 3, to: 3, at: 3 },
  ],
  does: [2, 3, 4],
  what: [5, 6, 6],
  value: [-1, 7, 7],
  site: [8, 8, 8],
  same: [0, 1, 2],
  arrows: [{ kind: 'post', from: 0, to: 2, why: 9 }],
  spans: [
    { lane: 0, lock: 5, from: 0, to: 1 },
    { lane: 1, lock: 5, from: 2, to: -1 },
  ],
  flipped: [1, 2],
  cut: { before: 0, after: 4 },
  ...over,
})

const picture: Picture = {
  strings: ['main', 'fs.readFile', 'lock', 'write', 'read', 'm', 'x', '1', 'a.js:3:1 f', 'it posts it'],
  lanes: [
    { name: 0, kind: 'thread', from: -1 },
    { name: 1, kind: 'chain', from: 8 },
  ],
  observed: run({}),
  failing: run({ arrows: [], spans: [] }),
  failingIs: 'replay',
}

test('from a picture: two processes, lanes, blocks, accesses, arrows and locks', () => {
  const document = documentWith([findingWith('atomicity', 'FAILED')])
  const { traceEvents } = trace({ ...document, findings: [{ ...document.findings[0]!, picture }] })
  const of = (pid: number, ph: string): TraceEvent[] => traceEvents.filter((e) => e.pid === pid && e.ph === ph)
  const names = (name: string): unknown[] => traceEvents.filter((e) => e.name === name).map((e) => e.args['name'])
  expect(names('process_name')).toEqual([
    '1. recorded: check-then-act on left.json (FAILED a70a1c17)',
    '1. failing: check-then-act on left.json (FAILED a70a1c17)',
  ])
  expect(names('thread_name')).toEqual(['main', 'fs.readFile, from a.js:3:1 f', 'main', 'fs.readFile, from a.js:3:1 f'])
  expect(of(1, 'X').map(({ name, tid, ts, dur }) => [name, tid, ts, dur])).toEqual([
    ['main', 1000, 0, 2000],
    ['fs.readFile', 1001, 2000, 1000],
    ['main', 1000, 3000, 1000],
  ])
  expect(of(1, 'i').map(({ name, cat, args }) => [name, cat, args])).toEqual([
    ['takes m', 'access', { what: 'm', site: 'a.js:3:1 f' }],
    ['◀ writes x', 'flipped', { what: 'x', value: '1', site: 'a.js:3:1 f', flipped: true }],
    ['◀ reads x', 'flipped', { what: 'x', value: '1', site: 'a.js:3:1 f', flipped: true }],
  ])
  expect(of(1, 's')[0]).toMatchObject({ name: 'post', tid: 1000, args: { why: 'it posts it' } })
  expect(of(1, 'f')[0]).toMatchObject({ name: 'post', tid: 1001, bp: 'e' })
  expect([...of(1, 'b'), ...of(1, 'e')].map(({ name, ts }) => [name, ts])).toEqual([
    ['holds m', 200],
    ['holds m', 2200],
    ['holds m', 1200],
    ['holds m', 4000],
  ])
  expect(of(2, 's')).toEqual([])
})

test('from rows where there is no picture, failures first, and hostile names', () => {
  const { traceEvents, otherData } = trace(documentWith(everyFinding()))
  expect(traceEvents.filter((e) => e.name === 'process_name')).toHaveLength(84)
  expect(traceEvents.filter((e) => e.pid === 2 && e.ph === 'i').map((e) => e.name)).toHaveLength(2)
  expect(otherData['leftOut']).toBe(0)
  expect(trace(documentWith([...everyFinding(), ...everyFinding()])).otherData['leftOut']).toBe(34)
  const evil = [...perfettoReport(evilDocument())].join('')
  // eslint-disable-next-line no-control-regex
  expect(evil).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  trace(evilDocument())
  expect(trace(documentWith([])).traceEvents).toEqual([])
})
