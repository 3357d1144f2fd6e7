/** Copied as a test, a finding fails with the buggy version of a package and passes with the one in which it is mended. */
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CORPUS } from '../node-bugs/cases.ts'
import { installCase, ROOT } from '../node-bugs/install.ts'
import { check, NODE, run } from '../node-bugs/run.ts'

const HEDDLE = join(ROOT, 'bin/heddle.js')

test.each(CORPUS.filter(({ name }) => name === 'mkdirp' || name === 'lockfile'))('$name', async (bug) => {
  const cwd = await installCase(bug)
  rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
  // As if Heddle were installed there.
  const bin = join(cwd, 'node_modules/.bin/heddle')
  mkdirSync(dirname(bin), { recursive: true })
  if (!existsSync(bin)) symlinkSync(HEDDLE, bin)
  const { failed } = await check(['driver.cjs', 'buggy'], ['--replays', '60', '--time', '600'], cwd)
  expect(failed.length).toBeGreaterThan(0)
  const shown = await run(NODE, [HEDDLE, 'show', failed[0]!.fingerprint, '--as-test', 'node'], cwd)
  writeFileSync(join(cwd, 'regression.test.mjs'), shown.out)
  const tested = (): Promise<{ code: number | null; out: string }> => run(NODE, ['--test', 'regression.test.mjs'], cwd)
  const buggy = await tested()
  expect(buggy.code, buggy.out).toBe(1)
  const modules = join(cwd, 'node_modules')
  cpSync(join(modules, 'buggy'), join(modules, 'kept'), { recursive: true })
  try {
    rmSync(join(modules, 'buggy'), { recursive: true })
    cpSync(join(modules, 'fixed'), join(modules, 'buggy'), { recursive: true })
    const fixed = await tested()
    expect(fixed.code, fixed.out).toBe(0)
  } finally {
    rmSync(join(modules, 'buggy'), { recursive: true })
    cpSync(join(modules, 'kept'), join(modules, 'buggy'), { recursive: true })
    rmSync(join(modules, 'kept'), { recursive: true })
  }
})
