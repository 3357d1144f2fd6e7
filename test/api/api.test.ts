/** Heddle as a library: real checks of small programs, and how they are stopped. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANTED } from '../../src/frontends/node/doctor.ts'
import * as heddle from '../../src/index.ts'
import { ROOT } from '../cli/run.ts'

const { check, HeddleError, openTrace, predict, readDocument, readRecording, record, replay } = heddle

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'heddle-api-'))
  writeFileSync(join(cwd, 'planted.mjs'), PLANTED)
  // Says who it is, and would stay for a minute.
  writeFileSync(
    join(cwd, 'long.mjs'),
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('pid', String(process.pid))\nsetTimeout(() => {}, 60_000)\n`,
  )
  writeFileSync(join(cwd, 'idle.mjs'), '')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const PLANTED_COMMAND = ['node', 'planted.mjs']
const FAST = { library: 'off', config: 'none' } as const

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What is half written, or says that a check is running. */
const litter = (): string[] =>
  readdirSync(join(cwd, '.heddle'), { recursive: true, encoding: 'utf8' }).filter((path) => /\.tmp$|progress\.json$|replay-\d/.test(path))

test('check: the document, as a value and as a file, with progress', async () => {
  const said: heddle.Progress[] = []
  const report = join(cwd, 'out/report.md')
  const result = await check(PLANTED_COMMAND, { ...FAST, cwd, maxFindings: 1, confirm: 2, report, onProgress: (p) => said.push(p) })
  expect(result).toMatchObject({ schema: 3, complete: true, root: cwd, command: PLANTED_COMMAND })
  expect(result.budgets).toEqual({ time: 60, replays: 60, maxFindings: 1, confirm: 2 })
  const [found] = result.findings.filter((finding) => finding.status === 'FAILED')
  expect(found!.failure!.message).toBe('Error: one seat was taken twice')
  expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(JSON.stringify(readDocument(join(cwd, '.heddle/findings.json')))))
  expect(readFileSync(report, 'utf8')).toContain('seat was taken twice')
  expect([...new Set(said.map((p) => p.phase))]).toEqual(['recording', 'predicting', 'replaying', 'done'])
  expect(said.at(-1)).toMatchObject({ phase: 'done', interrupted: false, failed: 1, mostReplays: 60 })
  expect(litter()).toEqual([])

  const again = await replay(found!, { cwd, runs: 1 })
  expect(again).toMatchObject({ failures: 1, outcomes: [{ result: 'failed', ordered: true }], summary: found!.summary })
  expect((await replay(`.heddle/schedules/${found!.fingerprint}.json`, { cwd, runs: 1 })).failures).toBe(1)
})

test('record, predict and replay can be called one after the other', async () => {
  const recording = await record(PLANTED_COMMAND, { ...FAST, cwd })
  expect(existsSync(recording.trace)).toBe(true)
  rmSync(join(cwd, '.heddle/schedules'), { recursive: true, force: true })
  const { findings } = await predict(recording, { ...FAST, cwd })
  expect(new Set(findings.map((finding) => finding.status))).toEqual(new Set(['PREDICTED']))
  expect((await predict(readRecording(recording.folder), { ...FAST, cwd })).findings).toHaveLength(findings.length)
  const outcomes: string[] = []
  for (const { schedule } of findings) {
    const { failures } = await replay(schedule!, { cwd, runs: 1, onOutcome: ({ result }, nth) => void outcomes.push(`${nth} ${result}`) })
    if (failures > 0) break
  }
  expect(outcomes).toContain('1 failed')
  await expect(predict(recording.trace)).rejects.toMatchObject({ code: 'is-a-recording' })
})

test('checks side by side do not get into each other’s way', async () => {
  const both = await Promise.all([1, 2].map(() => check(['node', 'idle.mjs'], { ...FAST, cwd })))
  expect(new Set(both.map((one) => one.recorded.trace)).size).toBe(2)
  expect(both.map((one) => one.complete)).toEqual([true, true])
})

test('predict takes traces of threads', async () => {
  const found = await predict('examples/account.txt', { cwd: ROOT, kinds: 'data-race' })
  expect(found.findings).toHaveLength(2)
  expect(found.findings[0]).toMatchObject({ status: 'PREDICTED', kind: 'data-race', witness: { tasks: expect.any(Array) } })
  expect(found.trace).toMatchObject({ tasks: 3, model: 'maximal' })
  const again = await predict(openTrace(join(ROOT, 'examples/account.txt')), { kinds: ['data-race'], model: 'sync', order: true })
  expect(again.trace!.model).toBe('sync')
  expect(again.findings[0]!.witness!.order).toHaveLength(again.findings[0]!.witness!.tasks.reduce((sum, [, n]) => sum + n, 0))
})

test.each<[string, () => Promise<unknown>, string, RegExp]>([
  [
    'an unknown option',
    () => check(['node', 'idle.mjs'], { cwd, maxFinding: 1 } as object),
    'unknown-key',
    /^check\(\) has no option "maxFinding"\. Did you mean maxFindings\?$/,
  ],
  ['an option of the terminal', () => check(['node', 'idle.mjs'], { cwd, json: true } as object), 'unknown-key', /"json"/],
  ['a wrong value', () => replay('x', { cwd, runs: 0 }), 'wrong-value', /^replay\(\) has runs as "0"\. Give a whole number from 1/],
  [
    'an option of another call',
    () => record(['node', 'idle.mjs'], { cwd, time: 1 } as object),
    'unknown-key',
    /^record\(\) has no option "time"/,
  ],
  ['no program', () => check([], { cwd }), 'nothing-to-run', /./],
  ['a program that fails', () => check(['node', 'nope.mjs'], { cwd }), 'recorded-run-failed', /exit code 1/],
  ['no folder', () => record(['node', 'idle.mjs'], { cwd: '/nope/nope' }), 'no-such-folder', /Check cwd/],
  ['a report of no format', () => check(['node', 'idle.mjs'], { cwd, report: 'x.pdf' }), 'unknown-report', /x\.pdf/],
  ['no finding', () => replay('0000', { cwd }), 'no-such-finding', /./],
  ['no schedule', () => replay({} as heddle.Schedule, { cwd }), 'not-a-schedule', /./],
  ['no recording', async () => readRecording(cwd), 'no-recording', /\.heddle\/runs/],
])('errors say fact and remedy: %s', async (_, call, code, pattern) => {
  const error: unknown = await call().catch((e: unknown) => e)
  expect(error).toBeInstanceOf(HeddleError)
  expect(error).toMatchObject({ code })
  expect((error as Error).message).toMatch(pattern)
})

test.each(['recording', 'predicting', 'replaying'] as const)('an abort while %s leaves nothing behind', async (phase) => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const command = phase === 'recording' ? ['node', 'long.mjs'] : PLANTED_COMMAND
  rmSync(join(cwd, 'pid'), { force: true })
  const whenStarted = (): void => void (existsSync(join(cwd, 'pid')) ? stop.abort(reason) : setTimeout(whenStarted, 20))
  const call = check(command, {
    ...FAST,
    cwd,
    signal: stop.signal,
    onProgress: (p) => {
      if (p.phase !== phase) return
      if (phase === 'recording') whenStarted()
      else setTimeout(() => stop.abort(reason), 30)
    },
  })
  await expect(call).rejects.toBe(reason)
  if (phase === 'recording') expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false)
  expect(litter()).toEqual([])
  await expect(check(command, { cwd, signal: stop.signal })).rejects.toBe(reason)
})

test('who uses the library and is ended by a signal leaves no program behind', async () => {
  rmSync(join(cwd, 'pid'), { force: true })
  const index = pathToFileURL(join(ROOT, 'dist/index.js')).href
  const code = `import { record } from ${JSON.stringify(index)}\nawait record(['node', 'long.mjs'])`
  const host = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd, stdio: 'ignore' })
  const ended = new Promise((resolve) => host.once('exit', (_, signal) => resolve(signal)))
  while (!existsSync(join(cwd, 'pid')) || readFileSync(join(cwd, 'pid'), 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 20))
  host.kill('SIGTERM')
  expect(await ended).toBe('SIGTERM')
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  for (let left = 100; left > 0 && isAlive(pid); left--) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isAlive(pid)).toBe(false)
})

test('after a call the signals of the process are its own again', async () => {
  const count = (): number =>
    ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGWINCH', 'exit'].reduce((sum, name) => sum + process.listenerCount(name), 0)
  const before = count()
  await record(['node', 'idle.mjs'], { ...FAST, cwd })
  expect(count()).toBe(before)
})
