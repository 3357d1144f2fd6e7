/** One small program of each kind, all classes of which are run and reported as such: `heddle check --exhaustive`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { node } from '../node-bugs/run.ts'
import { cannot as cannotJava } from '../programs/java.ts'
import { HEDDLE } from '../programs/marked.ts'
import { cannot as cannotNative } from '../programs/native.ts'
import { Workshop } from '../seeds/native-programs.ts'

const FOLDER = join(ROOT, 'test/explore/programs/all')
const cwd = mkdtempSync(join(tmpdir(), 'heddle-exhaustive-'))
const workshop = new Workshop()
afterAll(() => {
  workshop.close()
  rmSync(cwd, { recursive: true, force: true })
})

async function said(command: readonly string[]): Promise<string> {
  const { code, out } = await node([HEDDLE, 'check', '--exhaustive', '--time', '300', '--', ...command], cwd, 400_000)
  expect(code, out).toBe(0)
  return out.replaceAll(/\s+/g, ' ')
}

const ALL = /All 2 classes of schedules of this input were run \(sequential consistency\)\. None fails\./

test.skipIf(cannotNative !== '')(`C ${cannotNative}`, async () => {
  expect(await said([workshop.build(join(FOLDER, 'counter.c'), 'counter', [])])).toMatch(ALL)
})

test.skipIf(cannotJava !== '')(`Java ${cannotJava}`, async () => {
  execFileSync('javac', ['-g', '-d', cwd, join(FOLDER, 'Counter.java')])
  expect(await said(['java', '-cp', cwd, 'Counter'])).toMatch(ALL)
})

test('all classes of a program with worker threads are run', async () => {
  expect(await said(['node', join(FOLDER, 'counter.cjs')])).toMatch(ALL)
})

test('with an event loop that does more than hear of its workers, the reason is said', async () => {
  const text = await said(['node', join(FOLDER, 'two-workers.cjs')])
  expect(text).toMatch(/Explored: \d+ classes of schedules[^.]*undecided \([^)]*an event loop beside the threads/)
})
