/** The programs of docs/api.md, run as they stand there, by the built Heddle. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, scratch } from '../cli/run.ts'

const SNIPPETS = [...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(/## (.*)\n(?:(?!\n## )[^])*?```js\n([^]*?)```/g)].map(
  ([, title, code]) => ({ title: title!, code: code! }),
)

const EXPECTED: Readonly<Record<string, RegExp>> = {
  'Check a program': /^FAILED .*left\.json changes .* [0-9a-f]{16}\nLooked at: \d+ turns/,
  'Progress, and an end before the end':
    /^recording: running the program once \(0 of at most 60 replays, 0 failed\)\npredicting: [^]*1 failed\)\n(done: .*\n)?one is enough\n$/,
  'Properties in code': /^FAILED Order#\d+ is shipped before it is paid\.\n$/,
  'Step by step': /left\.json .* [12] of 2 failed\n/,
  'Traces of threads': /^data-race \[ \d+, \d+ \]\ndata-race/,
  Errors: /^recorded-run-failed\nThe recorded run failed: exit code 1 .*\nHeddle starts from a run that passes/,
}

test('every snippet is expected to say something', () => {
  expect(SNIPPETS.map(({ title }) => title)).toEqual(Object.keys(EXPECTED))
})

test.each(SNIPPETS)('$title', ({ title, code }) => {
  const folder = scratch()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/heddle'))
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toMatch(EXPECTED[title]!)
  if (code.includes('heddle.html')) expect(statSync(join(folder, 'heddle.html')).size).toBeGreaterThan(1000)
})
