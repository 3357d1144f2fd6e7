/** Committed schedules beside tests: written, replayed first, dropped. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding, Status } from '../../src/confirm/confirm.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import type { DelaySchedule } from '../../src/schedule/schedule.ts'
import { compare, keepSchedules, readSchedules, schedulesOf } from '../../src/runners/schedules.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-schedules-'))
  vi.stubEnv('CI', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const turn = { label: 'a', nth: 1 }
function finding(fingerprint: string, status: Status): Finding<Saved> {
  const saved: Saved = {
    fingerprint,
    kind: 'atomicity',
    pattern: 'lost update',
    summary: 'It is lost.',
    sites: [],
    locations: [],
    observed: [],
    failing: [],
    why: [],
    count: 1,
    schedule: {
      heddle: 2,
      command: ['node', '/home/me/x.test.js'],
      timers: 'due',
      kind: 'delays',
      delays: [],
      horizon: 1,
      expect: Object.fromEntries(['first', 'then'].map((name) => [name, turn])) as DelaySchedule['expect'],
    },
  }
  return {
    prediction: saved,
    status,
    replays: { runs: 3, failures: 3 },
    failure: undefined,
    ordered: true,
    note: undefined,
    earlier: false,
  }
}
const name = () => ({ file: join(folder, 'a.test.js'), name: 'suite > it' })

test('a failure is written, read again, and dropped when it is fixed and an update is asked for', () => {
  const failed = compare([finding('f1', 'FAILED'), finding('f2', 'REPRODUCED')], [])
  expect(keepSchedules(name(), failed, false)).toBe(true)
  expect(keepSchedules(name(), failed, false)).toBe(false)
  const text = readFileSync(schedulesOf(name().file), 'utf8')
  expect(text).not.toContain('/home/me')
  const { saved, wrong } = readSchedules(name())
  expect([saved.map((s) => s.fingerprint), wrong]).toEqual([['f1'], []])
  expect(readSchedules({ ...name(), name: 'other' }).saved).toEqual([])

  const fixed = compare([finding('f1', 'REPRODUCED')], saved)
  expect(fixed.fixed.length).toBe(1)
  expect(keepSchedules(name(), fixed, false)).toBe(false)
  expect(keepSchedules(name(), fixed, true)).toBe(true)
  expect(existsSync(schedulesOf(name().file))).toBe(false)
})

test('what diverges is stale, and other tests of the file stay', () => {
  keepSchedules(name(), compare([finding('f1', 'FAILED')], []), false)
  keepSchedules({ ...name(), name: 'b' }, compare([finding('f2', 'FAILED')], []), false)
  const stale = compare([finding('f1', 'DIVERGED')], readSchedules(name()).saved)
  expect([stale.stale.length, stale.fixed.length]).toEqual([1, 0])
  keepSchedules(name(), stale, true)
  expect(readSchedules(name()).saved).toEqual([])
  expect(readSchedules({ ...name(), name: 'b' }).saved.length).toBe(1)
})

test('in CI nothing is written, unless it is asked for', () => {
  vi.stubEnv('CI', 'true')
  const failed = compare([finding('f1', 'FAILED')], [])
  expect(keepSchedules(name(), failed, false)).toBe(false)
  expect(keepSchedules(name(), failed, true)).toBe(true)
})

test('a file that is something else is left alone, and said', () => {
  keepSchedules(name(), compare([finding('f1', 'FAILED')], []), false)
  const path = schedulesOf(name().file)
  for (const text of ['{', '[]', '{"heddle":99,"tests":{}}', 'null']) {
    writeFileSync(path, text)
    expect(readSchedules(name()).wrong).toEqual([`${path} is no file of schedules (or of another version); it is left alone.`])
    expect(keepSchedules(name(), compare([finding('f9', 'FAILED')], []), false)).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  writeFileSync(path, JSON.stringify({ heddle: 1, tests: { 'suite > it': [{ schedule: { heddle: 1 } }, 7] } }))
  expect(readSchedules(name()).wrong.length).toBe(2)
  expect(dirname(path).endsWith('__schedules__')).toBe(true)
})
