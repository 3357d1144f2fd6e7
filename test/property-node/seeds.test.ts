/** The properties of seed 003 and the machines of seed 001, on Node programs: predicted from a passing run, confirmed by replay, explained. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { heddle, type Ran } from './heddle.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-seeds-'))
cpSync(fileURLToPath(new URL('programs', import.meta.url)), dir, { recursive: true })
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const check = (name: string, words: readonly string[] = [], flags: readonly string[] = []): Promise<Ran> =>
  heddle(
    ['check', '--json', '--library', 'off', '--time', '600', '--property', `${name}.prop`, ...flags, '--', 'node', `${name}.mjs`, ...words],
    dir,
  )

/** The first of several, where not everything runs. */
const some = <T>(all: readonly T[]): readonly T[] => (ALL ? all : all.slice(0, 1))

describe('seed 003', () => {
  test.each(
    some([
      ['unsafe-iterator', 'UnsafeIterator', ['create', 'update', 'next']],
      ['database', 'UnsafeDatabaseAccess', ['open', 'create', 'update', 'delete', 'close']],
      ['check-then-act', 'CheckThenAct', ['check', 'act', 'act']],
      ['deadlock', 'Deadlock', ['hasX', 'hasY', 'wantY', 'wantX']],
      ['atomicity', 'AtomicityViolation', ['begin', 'read', 'write', 'write', 'end']],
    ]),
  )('%s', async (name, property, events) => {
    const { code, findings } = await check(name)
    const found = findings.filter((f) => f.status === 'FAILED' && f.violation?.property === property)
    expect(found.length, JSON.stringify(findings.map((f) => [f.status, f.pattern, f.note]))).toBeGreaterThan(0)
    expect(code).toBe(1)
    expect(found[0]!.violation!.events.map((e) => e.name).sort()).toEqual([...events].sort())
    for (const event of found[0]!.violation!.events) expect(event.stack[0]).toMatch(new RegExp(`^${name}\\.mjs:\\d+:\\d+`))
  })

  test('m twice, one after the other, is no violation', async () => {
    const { findings } = await check('atomicity', ['synchronized'])
    expect(findings.filter((f) => f.status === 'FAILED')).toEqual([])
    expect(findings.filter((f) => f.kind === 'property')).toEqual([])
  })

  // Of `a || b` the recorded run shows one order and the replay the other.
  test.each(
    some([
      ['null-dereference', 'NullDereference', 'TypeError'],
      ['data-race', 'DataRace', undefined],
      ['shared-race', 'DataRace', undefined],
    ]),
  )('%s', async (name, property, error) => {
    const { findings } = await check(name)
    const found = findings.filter((f) => f.status === 'FAILED' && f.property?.name === property)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((f) => f.property!.bothOrders)).toBe(true)
    if (error !== undefined) expect(found.some((f) => f.failure!.message.includes(error))).toBe(true)
    else expect(found[0]!.failure!.how).toBe('violation')
  })
})

describe('seed 001', () => {
  test.each(
    some([
      ['read-close', 'File', ['close', 'read'], 'CLOSED'],
      ['use-after-free', 'Pointer', ['free', 'use'], 'FREED'],
      ['lock-destroyed', 'Lock', ['destroy', 'acquire'], 'GONE'],
    ]),
  )('%s', async (name, machine, events, state) => {
    const { findings, coverage } = await check(name)
    const found = findings.find((f) => f.status === 'FAILED' && f.violation?.state === state)
    expect(found?.violation).toMatchObject({ property: machine, kind: 'typestate', state })
    expect(found!.violation!.events.map((e) => e.name)).toEqual(events)
    // Neither a race nor an atomicity violation: nothing but the typestate tells of it.
    expect(findings.filter((f) => f.status === 'FAILED' && f.kind !== 'typestate')).toEqual([])
    const turns = coverage.find((row) => row.predictor === 'turns')!
    expect(turns.candidates - (turns.infeasible['must-order'] ?? 0)).toBe(0)
  })

  test.runIf(ALL)('what was confirmed once is replayed nine times in ten', async () => {
    const { findings } = await check('read-close')
    const id = findings.find((f) => f.status === 'FAILED')!.fingerprint
    const { out } = await heddle(['replay', id, '--runs', '10'], dir)
    expect(out.match(/^replay \d+: failed/gm)?.length ?? 0).toBeGreaterThanOrEqual(9)
  })

  test.runIf(ALL)('a program that begins differently every time: what comes first is held by its place', async () => {
    const { findings } = await check('varies')
    const found = findings.find((f) => f.status === 'FAILED')
    expect(found?.violation, JSON.stringify(findings.map((f) => [f.status, f.note]))).toMatchObject({ property: 'File', state: 'CLOSED' })
    expect(found!.schedule).toMatchObject({ kind: 'delays', delays: [{ do: 'waylay', kind: 'fs', until: { call: 'close' } }] })
    const { out } = await heddle(['replay', found!.fingerprint, '--runs', '4'], dir)
    expect(out.match(/^replay \d+: failed/gm)?.length ?? 0).toBeGreaterThanOrEqual(3)
  })

  test.runIf(ALL)('what was tried in vain is not tried again, until the code changes', async () => {
    const first = await check('guarded')
    expect(first.findings.filter((f) => f.status === 'FAILED')).toEqual([])
    const tried = first.findings.filter((f) => f.kind === 'typestate')
    expect(tried.length).toBeGreaterThan(0)
    const second = await check('guarded', ['another', 'input'])
    expect(second.findings.filter((f) => f.kind === 'typestate').length).toBeLessThan(tried.length)
    expect(second.coverage.find((row) => row.predictor === 'properties')!.notLookedAt['history']).toBeGreaterThan(0)
    const anew = await check('guarded', [], ['--history', 'off'])
    expect(anew.findings.filter((f) => f.kind === 'typestate').length).toBe(tried.length)
  })
})
