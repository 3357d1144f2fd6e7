/** Replays at the same time: how many, and that the result does not depend on which ends first. */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newBudget } from '../../src/confirm/budget.ts'
import { confirm, type Candidate } from '../../src/confirm/confirm.ts'
import { PlainRuns } from '../../src/confirm/determinism.ts'
import type { Rerun } from '../../src/confirm/run.ts'
import type { Ended, Own } from '../../src/frontends/contract.ts'
import { meetsOthers } from '../../src/frontends/node/outside.ts'
import type { Isolation } from '../../src/isolate/isolation.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { plainSchedule } from '../../src/schedule/schedule.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { WRITE } from '../../src/trace/ops.ts'
import { prediction } from '../check/fixture.ts'

const allowed = { timeMs: 60_000, replays: 60, maxFindings: 9, confirm: 1 }
const isolated = (own: Partial<Isolation>): Isolation =>
  ({ files: false, network: false, copies: false, covers: () => false, ...own }) as Isolation
const free = { meets: () => false }

test('as many as there are cores and isolation allows, or as somebody says; one where they would meet', () => {
  const cores = availableParallelism()
  const atOnce = (run: { meets: (own: Own) => boolean }, options: object = {}): number =>
    newBudget(0, run, 0, { ...allowed, ...options }).atOnce
  expect(atOnce(free)).toBe(Math.min(2, cores))
  expect(atOnce(free, { isolation: isolated({ files: true }) })).toBe(Math.min(4, cores))
  expect(atOnce(free, { atOnce: 7 })).toBe(7)
  expect(atOnce({ meets: () => true }, { atOnce: 7 })).toBe(1)
  expect(atOnce(free, { atOnce: 7, hooks: { beforeEach: 'true' } })).toBe(1)
  expect(atOnce(free, { atOnce: 7, isolation: isolated({ copies: true }) })).toBe(1)
})

test('that views do not suit a program counts, also when it is known late', () => {
  const isolation = isolated({ files: true })
  const budget = newBudget(0, free, 0, { ...allowed, atOnce: 4, isolation })
  expect(budget.atOnce).toBe(4)
  isolation.copies = true
  expect(budget.atOnce).toBe(1)
})

test.each([
  ['file:/project/a', { files: true, covers: (path: string) => path.startsWith('/project/') }, false],
  ['dir:/elsewhere', { files: true, covers: (path: string) => path.startsWith('/project/') }, true],
  ['file:/project/a', {}, true],
  ['port:80', { files: true, covers: () => true }, true],
  ['port:80', { network: true }, false],
  ['Object#1.a', {}, false],
])('who writes to %s, with %o of its own, meets others: %s', (location, own, meets) => {
  const builder = new TraceBuilder()
  builder.add(builder.task('loop'), WRITE, builder.targetOf(WRITE, location))
  expect(meetsOthers(builder.finish(), { files: false, network: false, covers: () => false, ...own })).toBe(meets)
})

const passed: Ended = {
  exit: { code: 0, signal: null, ms: 1 },
  waiting: [],
  notes: [],
  paths: [],
  seen: [],
  stopped: undefined,
  stdout: '',
  stderr: '',
}

test('schedules of earlier checks come first, and findings stand in the order of their candidates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-side-by-side-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const begun: string[] = []
  const program = {
    async replay({ schedule }: { schedule: Saved['schedule'] }): Promise<Ended> {
      const name = schedule.command[1]
      // Without delays it passes.
      if (name === undefined) return passed
      begun.push(name)
      // The first ones take longest.
      for (let i = 0; i < 50 - 10 * begun.length; i++) await new Promise((resolve) => setImmediate(resolve))
      return { ...passed, exit: { ...passed.exit, code: 1 }, uncaught: { kind: 'exception', message: `Error: ${name}`, stack: [] } }
    },
  }
  const rerun = {
    program,
    recording: { command: [], timers: 'due', stopped: false },
    cwd: folder,
    folder,
    watchdogMs: 1000,
  } as unknown as Rerun
  const one = (fingerprint: string, earlier: boolean): Candidate<Saved> => ({
    prediction: prediction({ fingerprint, schedule: plainSchedule({ command: ['node', fingerprint], timers: 'due' }) }),
    earlier,
  })
  const candidates = [one('a', true), one('b', true), one('a', false), one('c', false), one('d', false)]
  const budget = newBudget(performance.now(), free, 0, { ...allowed, atOnce: 4 })
  const found = await confirm(candidates[Symbol.iterator](), rerun, budget, new PlainRuns(rerun), () => {})
  expect(found.map((f) => [f.prediction.fingerprint, f.earlier])).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
    ['d', false],
  ])
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})
