/** Copied as a test, a finding fails with the buggy version of a package and passes with the fixed one, under each runner. */
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { TestRunner } from '../../src/report/as-test.ts'
import { CORPUS } from '../node-bugs/cases.ts'
import { installCase, ROOT } from '../node-bugs/install.ts'
import { check, NODE, run } from '../node-bugs/run.ts'

const HEDDLE = join(ROOT, 'bin/heddle.js')

/** The file the test is put into, and how it is run. */
const RUNNERS: Readonly<Record<TestRunner, readonly [file: string, words: (cwd: string) => readonly string[]]>> = {
  node: ['regression.test.mjs', () => ['--test', 'regression.test.mjs']],
  vitest: ['regression.test.mjs', (cwd) => [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', cwd, 'regression.test.mjs']],
  jest: ['regression.test.js', (cwd) => [join(ROOT, 'node_modules/jest/bin/jest.js'), '--rootDir', cwd, 'regression.test.js']],
}

test.each(['mkdirp', 'lockfile', 'write-file-atomic'])(
  '%s: a test for each runner fails before the fix and passes after it',
  async (name) => {
    const cwd = await installCase(CORPUS.find((bug) => bug.name === name)!)
    rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
    // As if Heddle were installed there.
    const bin = join(cwd, 'node_modules/.bin/heddle')
    mkdirSync(dirname(bin), { recursive: true })
    if (!existsSync(bin)) symlinkSync(HEDDLE, bin)
    const { failed } = await check(['driver.cjs', 'buggy'], ['--replays', '60', '--time', '600'], cwd)
    expect(failed.length).toBeGreaterThan(0)
    // Vitest would take the configuration of this repository.
    writeFileSync(join(cwd, 'vitest.config.mjs'), 'export default {}\n')
    for (const runner of Object.keys(RUNNERS) as TestRunner[]) {
      const shown = await run(NODE, [HEDDLE, 'show', failed[0]!.fingerprint, '--as-test', runner], cwd)
      await failsThenPasses(cwd, shown.out, runner)
    }
  },
)

async function failsThenPasses(cwd: string, text: string, runner: TestRunner): Promise<void> {
  const [file, words] = RUNNERS[runner]
  writeFileSync(join(cwd, file), text)
  const tested = async (): Promise<{ code: number | null; said: string }> => {
    const { code, out, err } = await run(NODE, [...words(cwd)], cwd)
    return { code, said: stripVTControlCharacters(`${out}${err}`) }
  }
  const modules = join(cwd, 'node_modules')
  cpSync(join(modules, 'buggy'), join(modules, 'kept'), { recursive: true })
  try {
    const buggy = await tested()
    expect(buggy.code, buggy.said).toBe(1)
    expect(buggy.said).toMatch(/\b(?:fail 1|1 failed)\b/)
    rmSync(join(modules, 'buggy'), { recursive: true })
    cpSync(join(modules, 'fixed'), join(modules, 'buggy'), { recursive: true })
    const fixed = await tested()
    expect(fixed.code, `${runner}: ${fixed.said}`).toBe(0)
  } finally {
    rmSync(join(cwd, file), { force: true })
    rmSync(join(modules, 'buggy'), { recursive: true, force: true })
    cpSync(join(modules, 'kept'), join(modules, 'buggy'), { recursive: true })
    rmSync(join(modules, 'kept'), { recursive: true })
  }
}
