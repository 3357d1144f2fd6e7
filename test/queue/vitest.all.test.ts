/** Shards of Vitest: its files are split as those of node:test are, and the parts are put together. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testCommandOf } from '../../src/runners/command.ts'
import { testFilesOf } from '../../src/runners/test-files.ts'
import { CONFIG, VitestProject } from '../runners/vitest/project.ts'
import { Yard } from './server.ts'

/** Fails by itself: what replays find is another test's (test/runners/vitest). */
const WRONG = `import { expect, test } from 'vitest'
test('adds', () => expect(1 + 1).toBe(3))
`
const RIGHT = `import { expect, test } from 'vitest'
test('adds', () => expect(1 + 1).toBe(2))
`

test('the shards of a project of Vitest have each file once, and merged say how all of them ended', async () => {
  const project = new VitestProject({
    'vitest.config.mjs': CONFIG,
    'a.test.mjs': WRONG,
    'b.test.mjs': RIGHT,
    'lib/c.test.mjs': RIGHT,
  })
  const yard = new Yard()
  onTestFinished(async () => {
    await yard.end()
    project.remove()
  })
  const { folder } = project
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../vitest/vitest.mjs', join(folder, 'node_modules/.bin/vitest'))
  const command = ['npx', 'vitest', 'run', '--retry=0']
  const split = testFilesOf(testCommandOf(command, folder), folder)
  expect(split.files).toEqual(['a.test.mjs', 'b.test.mjs', 'lib/c.test.mjs'])
  const { args } = split.commandFor(['b.test.mjs']).plan
  expect(args.slice(-3)).toEqual(['run', join(folder, 'b.test.mjs'), '--retry=0'])
  const filtered = testFilesOf(testCommandOf(['npx', 'vitest', 'lib'], folder), folder)
  expect(filtered.files).toEqual(['lib/c.test.mjs'])
  for (const [nth, exit] of [
    ['1', 1],
    ['2', 0],
  ] as const) {
    const words = ['test', '--shard', `${nth}/2`, '--out', `part${nth}.heddle`, '--']
    const { code, out, err } = await yard.start(folder, [...words, ...command]).ended
    expect(code, out + err).toBe(exit)
    expect(existsSync(join(folder, `part${nth}.heddle`))).toBe(true)
  }
  const { code, out } = await yard.start(folder, ['merge', 'part2.heddle', 'part1.heddle', '--to', 'all.json']).ended
  expect(out).toMatch(/^Heddle: 2 tests analysed, 0 replayed, 1 not recorded \(it failed by itself\); no failure found\.\n/)
  expect(code).toBe(1)
})
