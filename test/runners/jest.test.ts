/** `heddle test -- jest`, on small real projects. */
import { expect, test } from 'vitest'
import { projectOf, SHOP, snippet, withoutTypes } from './tickets.ts'
import { ALL } from '../layer.ts'

const commonJs = (text: string): string =>
  text
    .replaceAll(/import (\{[^}]*\}) from ('[^']*')/g, 'const $1 = require($2)')
    .replaceAll(/export (?:async )?function (\w+)/g, (whole, name: string) => `exports.${name} = ${name}\n${whole.replace('export ', '')}`)

const TESTS = `const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { count } = require('./count.cjs')
const { buy, buyInTurn } = require('./shop')
let folder, file
beforeAll(() => count('beforeAll'))
afterAll(() => count('afterAll'))
beforeEach((done) => {
  count('beforeEach')
  folder = mkdtempSync(join(tmpdir(), 'shop-'))
  file = join(folder, 'left.json')
  writeFileSync(file, '1')
  setImmediate(done)
})
afterEach(() => {
  count('afterEach')
  rmSync(folder, { recursive: true })
})
describe('the shop', () => {
  it('sells the last ticket once', async () => {
    const sold = await Promise.all([buy(file, 'ann'), sleep(200).then(() => buy(file, 'bob'))])
    expect(sold.filter(Boolean)).toEqual(['ann'])
  })
  it('sells in turn', async () => {
    const sold = await Promise.all([buyInTurn(file, 'ann'), sleep(200).then(() => buyInTurn(file, 'bob'))])
    expect(sold.filter(Boolean)).toEqual(['ann'])
  })
  it('is left alone', async () => {
    // heddle: off
    await Promise.all([buy(file, 'ann'), sleep(200).then(() => buy(file, 'bob'))])
  })
})
`

const REST = `const { count } = require('./count.cjs')
jest.retryTimes(2)
let tries = 0
test('is retried', async () => {
  count('tries')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(++tries).toBe(2)
})
test.concurrent('side by side', async () => { await null })
test.failing('fails as it should', () => { throw new Error('as it should') })
test.skip('skipped', () => count('never'))
test.todo('to do')
test.each([1, 2])('each %i', async (n) => { await null; expect(n).toBeLessThan(3) })
describe('with timers that are not', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())
  test('passes time', () => {
    const rang = jest.fn()
    setTimeout(rang, 60_000)
    jest.runAllTimers()
    expect(rang).toHaveBeenCalledTimes(1)
  })
})
test('matches', () => { expect({ a: 1 }).toMatchSnapshot() })
`

test('a bug that three plain runs do not show is a failed test, its correct twin passes, and hooks run as often as ever', () => {
  const project = projectOf({ 'shop.js': commonJs(withoutTypes(SHOP)), 'shop.test.js': TESTS, 'rest.test.js': REST })
  const jest = ['node', 'node_modules/jest/bin/jest.js', '--verbose']
  for (let i = 0; i < 3; i++) {
    project.forget()
    expect(project.run(...jest).output).toMatch(/2 passed, 2 total/)
  }
  const hooks = project.counted()
  expect(hooks).toEqual({ afterAll: 1, afterEach: 3, beforeAll: 1, beforeEach: 3, tries: 2 })
  project.forget()
  const { code, output } = project.heddle('test', '--budget', '5m', '--replays', '3', '--confirm', '1', '--time', '40', '--', ...jest)
  expect(output).toMatch(/✕ sells the last ticket once/)
  expect(output).toMatch(/ConfirmedFinding: FAILED \d of \d replays?: check-then-act on/)
  expect(output).toMatch(/shop\.js:\d+ +await writeFile\(file, JSON\.stringify\(left - /)
  expect(output).toMatch(/✓ sells in turn/)
  expect(output).toMatch(/✓ is left alone/)
  expect(output).toMatch(/✓ is retried/)
  expect(output).toMatch(/^Tests: +1 failed, 1 skipped, 1 todo, 9 passed, 12 total$/m)
  // The retry is a test of its own for Heddle, and the try before it failed by itself.
  expect(output).toMatch(/^Heddle: 7 tests analysed, \d replayed, 1 off, 3 not recorded \(.*\); one failure confirmed\.$/m)
  expect(project.counted()).toEqual(hooks)
  expect(code).toBe(1)
})

test.runIf(ALL)('the project of docs/jest.md, with TypeScript by a transformer, in workers: places are those of the source', () => {
  const project = projectOf({
    ...Object.fromEntries(['jest.config.js', 'to-js.js', 'counter.ts', 'counter.test.ts'].map((name) => [name, snippet('jest.md', name)])),
    'other.test.ts': `test('is small', () => { expect(1 as number).toBe(1) })`,
  })
  const { code, output } = project.heddle(
    'test',
    '--replays',
    '3',
    '--confirm',
    '1',
    '--',
    'npx',
    'jest',
    '--maxWorkers=2',
    '--config',
    'jest.config.js',
  )
  expect(output).toMatch(/FAILED \d of \d replays?: /)
  expect(output).toMatch(/counter\.ts:9 +box\.value = before \+ 1/)
  expect(output).toMatch(/^Heddle: 2 tests analysed, 1 replayed; .* confirmed\.$/m)
  expect(code).toBe(1)
})
