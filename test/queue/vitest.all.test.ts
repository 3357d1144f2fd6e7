/** Shards of Vitest: its files are split as those of node:test are, and the parts are put together. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testCommandOf } from '../../src/runners/command.ts'
import { testFilesOf } from '../../src/runners/test-files.ts'
import { CONFIG, VitestProject } from '../runners/vitest/project.ts'
import { toldIn } from './projects.ts'
import { Yard } from './server.ts'

const SHOP = `import { readFile, writeFile } from 'node:fs/promises'
export async function buy(file, name) {
  const left = JSON.parse(await readFile(file, 'utf8'))
  if (left === 0) return undefined
  await writeFile(file, JSON.stringify(left - 1))
  return name
}
`
const WRONG = `import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buy } from './shop.mjs'
test('sells the last ticket once', async () => {
  const file = join(mkdtempSync('/tmp/shop-'), 'left.json')
  writeFileSync(file, '1')
  const sold = await Promise.all([buy(file, 'ann'), sleep(200).then(() => buy(file, 'bob'))])
  expect(sold.filter(Boolean)).toEqual(['ann'])
})
`
const RIGHT = `import { expect, test } from 'vitest'
test('adds', () => expect(1 + 1).toBe(2))
`

test('the shards of a project of Vitest have each file once, and merged say what all of them found', async () => {
  const project = new VitestProject({
    'vitest.config.mjs': CONFIG,
    'shop.mjs': SHOP,
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
    const words = ['test', '--shard', `${nth}/2`, '--out', `part${nth}.heddle`, '--time', '120', '--replays', '8', '--confirm', '1', '--']
    const { code, out, err } = await yard.start(folder, [...words, ...command]).ended
    expect(code, out + err).toBe(exit)
    expect(existsSync(join(folder, `part${nth}.heddle`))).toBe(true)
  }
  const { code, out } = await yard.start(folder, ['merge', 'part2.heddle', 'part1.heddle', '--to', 'all.json']).ended
  expect(out).toMatch(/^Heddle: 3 tests analysed, 1 replayed; one failure confirmed\.\n {2}FAILED /)
  expect(code).toBe(1)
  expect(toldIn(0, spawnSync('cat', [join(folder, 'all.json')], { encoding: 'utf8' }).stdout).findings).toHaveLength(1)
})
