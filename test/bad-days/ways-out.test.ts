/** Interruption and cleaning up: Ctrl-C before anything was recorded, temporary folders, and how often a program is run. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sweep, tempFolder } from '../../src/process/temp-folder.ts'
import { BIN } from '../cli/run.ts'
import { place, SEATS } from '../check/program.ts'

const below = mkdtempSync(join(tmpdir(), 'heddle-ways-out-'))
afterAll(() => rmSync(below, { recursive: true, force: true }))

const COUNTED = `require('fs').appendFileSync('mails', 'x')
`

test('Ctrl-C in the first moments is exit code 130 and a sentence', async () => {
  const here = place({ 'forever.js': 'setInterval(() => {}, 10)\n' })
  for (const ms of [150, 250, 300, 320, 340, 360, 400, 700]) {
    const child = spawn(process.execPath, [BIN, 'check', '--time', '2', '--', 'node', 'forever.js'], {
      cwd: here.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (text += piece.toString()))
    setTimeout(() => child.kill('SIGINT'), ms)
    // The program never ends: a signal that is lost would be waited for until the test is given up.
    const lost = setTimeout(() => child.kill('SIGKILL'), 60_000)
    const [code, signal] = await new Promise<unknown[]>((resolve) => child.once('close', (...how) => resolve(how)))
    clearTimeout(lost)
    expect(text).not.toMatch(/nothing was recorded|doctor|mistake/)
    // Before Node itself has begun the signal ends it; later the program has run and is looked at.
    expect(
      code === 130 ? text.includes('heddle: Interrupted before') : code === 0 || signal === 'SIGINT',
      `${ms}: ${String(code)} ${text}`,
    ).toBe(true)
  }
})

test('temporary folders of dead processes are removed, and only those with our mark', () => {
  const kept = tempFolder('test', below)
  const mark = readFileSync(join(kept.path, '.heddle-temporary'), 'utf8')
  const dead = join(below, 'heddle-test-4194303-abcdef')
  const unmarked = join(below, 'heddle-test-4194303-ghijkl')
  const elsewhere = join(below, 'heddle-test-4194303-mnopqr')
  const link = join(below, 'heddle-test-4194303-stuvwx')
  for (const folder of [dead, unmarked, elsewhere]) mkdirSync(folder)
  writeFileSync(join(dead, '.heddle-temporary'), mark)
  writeFileSync(join(elsewhere, '.heddle-temporary'), 'pid:[1] another machine')
  symlinkSync(kept.path, link)
  sweep(below)
  expect([kept.path, dead, unmarked, elsewhere, link].map((path) => existsSync(path))).toEqual([true, false, true, true, true])
  kept.end()
  expect(existsSync(kept.path)).toBe(false)
})

test('heddle replay leaves nothing in the temporary folder, also when a signal ends it', async () => {
  const here = place({ 'seats.mjs': SEATS })
  here.heddle(['check', '--replays', '4', '--confirm', '1', '--', 'node', 'seats.mjs'])
  const id = readdirSync(join(here.dir, '.heddle/schedules'))[0]!.replace('.json', '')
  const temporary = mkdtempSync(join(below, 'tmp-'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const child = spawn(process.execPath, [BIN, 'replay', id, '--runs', '50'], {
      cwd: here.dir,
      env: { ...process.env, TMPDIR: temporary },
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    setTimeout(() => child.kill(signal), 200)
    await new Promise((resolve) => child.once('close', resolve))
    expect(readdirSync(temporary).filter((name) => name.startsWith('heddle-'))).toEqual([])
  }
})

test('the first check of a project says how often the program may run, and keeps to it', () => {
  const here = place({
    'fails.js': `${COUNTED}setTimeout(() => setTimeout(() => { throw new Error('no') }, 2), 2)\n`,
    'passes.mjs': `import { appendFileSync } from 'node:fs'\nappendFileSync('mails', 'x')\n${SEATS}`,
  })
  const mails = (): number => {
    const count = existsSync(join(here.dir, 'mails')) ? readFileSync(join(here.dir, 'mails'), 'utf8').length : 0
    rmSync(join(here.dir, 'mails'), { force: true })
    return count
  }
  const first = here.heddle(['check', '--replays', '5', '--', 'node', 'fails.js'])
  expect(first.err).toMatch(/^heddle: The program runs up to 8 times/m)
  expect(mails()).toBeLessThanOrEqual(2)
  const again = here.heddle(['check', '--replays', '0', '--', 'node', 'fails.js'])
  expect(again.err).not.toMatch(/The program runs/)
  expect(mails()).toBe(1)
  const predicted = here.heddle(['check', '--replays', '0', '--', 'node', 'passes.mjs'])
  expect(predicted.out).toMatch(/1 predicted/)
  expect(mails()).toBe(1)
})
