/** `heddle test -- node --test`, on small real projects. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectOf, SHOP, snippet, withoutTypes } from './tickets.ts'

const HEAD = `import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import counter from './count.cjs'
`
const once = (buy: string): string => `async () => {
    const sold = await Promise.all([${buy}(file, 'ann'), sleep(200).then(() => ${buy}(file, 'bob'))])
    assert.deepEqual(sold.filter(Boolean), ['ann'])
  }`
const TESTS = `${HEAD}import { buy, buyInTurn } from './shop.mjs'
const { count } = counter
let folder, file
before(() => count('before'))
after(() => count('after'))
beforeEach(() => {
  count('beforeEach')
  folder = mkdtempSync(join(tmpdir(), 'shop-'))
  file = join(folder, 'left.json')
  writeFileSync(file, '1')
})
afterEach(() => {
  count('afterEach')
  rmSync(folder, { recursive: true })
})
describe('the shop', () => {
  it('sells the last ticket once', ${once('buy')})
  it('sells in turn', ${once('buyInTurn')})
  // heddle: off
  it('is left alone', ${once('buy')})
})
`

test('a bug that three plain runs do not show is a failed test, its correct twin passes, and hooks run as often as ever', () => {
  const project = projectOf({ 'shop.mjs': withoutTypes(SHOP), 'shop.test.mjs': TESTS })
  for (let i = 0; i < 3; i++) {
    project.forget()
    expect(project.run('node', '--test').output).toMatch(/fail 0/)
  }
  const hooks = project.counted()
  expect(hooks).toEqual({ after: 1, afterEach: 3, before: 1, beforeEach: 3 })
  project.forget()
  const { code, output } = project.heddle('test', '--replays', '3', '--confirm', '1', '--', 'node', '--test', '--test-reporter', 'spec')
  expect(output).toMatch(/^heddle: Every test that passes may run up to 3 times more, and what it does is real each time/m)
  expect(output).toMatch(/✖ sells the last ticket once/)
  expect(output).toMatch(/ConfirmedFinding: FAILED \d of \d replays?: check-then-act on/)
  expect(output).toMatch(/shop\.mjs:6 +await writeFile\(file, JSON\.stringify\(left - /)
  expect(output).toMatch(/✔ sells in turn/)
  expect(output).toMatch(/✔ is left alone/)
  expect(output).toMatch(/^Heddle: 2 tests analysed, \d replayed, 1 off; one failure confirmed\.$/m)
  expect(project.counted()).toEqual(hooks)
  expect(code).toBe(1)
})

test('the project of docs/node-test.md, with TypeScript by tsx or by Node, beside CommonJS with a callback', () => {
  const project = projectOf({
    'package.json': '{ "name": "shop", "type": "module" }',
    'shop.ts': SHOP,
    'shop.test.ts': snippet('node-test.md', 'shop.test.ts'),
    'plain.test.cjs': `const test = require('node:test')
test('calls back', (t, done) => setTimeout(() => setImmediate(done), 5))
test('has parts', async (t) => {
  await t.test('a part', (t, done) => setImmediate(done))
  await test('another part', () => {})
})
`,
  })
  const readsTypes = (process.features as { typescript?: unknown }).typescript
  const node = ['node', ...(readsTypes ? [] : ['--import', 'tsx']), '--test', '--test-reporter', 'tap']
  const { code, output } = project.heddle('test', '--replays', '3', '--confirm', '1', '--', ...node, 'shop.test.ts', 'plain.test.cjs')
  expect(output).toMatch(/FAILED \d of \d replays?: check-then-act/)
  expect(output).toMatch(/shop\.ts:6 +await writeFile\(file, JSON\.stringify\(left - /)
  expect(output).toMatch(/location: '.*shop\.test\.ts:/)
  expect(output).toMatch(/^Heddle: 4 tests analysed, \d replayed; one failure confirmed\.$/m)
  expect(code).toBe(1)
})

test('everything node:test has is as it is without Heddle', () => {
  const project = projectOf({
    'all.test.mjs': `import test, { it, describe, suite, beforeEach, afterEach, before, after, mock, run } from 'node:test'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import counter from './count.cjs'
const { count } = counter
before((t) => count('root before'))
beforeEach((t, done) => { count('root beforeEach'); setImmediate(done) })
test('plain', () => {})
test('async', async (t) => { t.after(() => count('t.after')); t.diagnostic('said'); await 1 })
test('with a plan that is not kept', { plan: 1 }, () => {})
test('calls back', (t, done) => setTimeout(done, 5))
test('calls back with an error', (t, done) => setTimeout(() => done(new Error('told')), 5))
test('throws', async () => { assert.equal(1, 2) })
test('throws nothing', () => { throw undefined })
test('has parts', async (t) => {
  t.beforeEach(() => count('t.beforeEach'))
  await t.test('a part', () => {})
  await t.test('that fails', () => { throw new Error('part') })
  await test('by the import', () => {})
})
test('is too slow', { timeout: 40 }, () => new Promise((resolve) => setTimeout(resolve, 300)))
test(function named() {})
test({ name: 'no name in front', todo: true }, () => {})
test('mocks', (t) => { const fn = t.mock.fn(); fn(); assert.equal(fn.mock.callCount(), 1); mock.timers.enable(); mock.timers.reset() })
test('prepares stacks with a file', () => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = () => readFileSync(process.argv[1], 'utf8').slice(0, 6)
  const { stack } = new Error('mine')
  Error.prepareStackTrace = prepareStackTrace
  assert.equal(stack, 'import')
})
test('skips itself', (t) => t.skip('later'))
test.skip('skipped', () => { throw new Error('ran') })
test.todo('to do', () => { throw new Error('not yet') })
test.only('the only one', () => {})
test('without a body')
describe('a suite', { timeout: 5000, concurrency: 2 }, () => {
  before(() => count('suite before'))
  after(() => count('suite after'))
  afterEach(() => count('suite afterEach'))
  it('same', () => {})
  it('same', () => {})
  describe('inside', () => { it('deep', (t) => assert.equal(t.fullName, 'a suite > inside > deep')) })
  it.skip('not', () => {})
})
suite('whose function fails', () => { throw new Error('no suite') })
describe('whose hook fails', () => {
  beforeEach(() => { throw new Error('hook') })
  it('is not run', () => count('never'))
})
assert.equal(typeof run, 'function')
`,
  })
  const told = (output: string): string[] =>
    output
      .split('\n')
      .filter((line) => /^\s*((not )?ok \d|location|failureType|error|# (said|tests|pass|fail|cancelled|skipped|todo))/.test(line))
  const plain = project.run('node', '--test', '--test-reporter', 'tap')
  const counts = project.counted()
  project.forget()
  const ours = project.heddle('test', '--replays', '0', '--', 'node', '--test', '--test-reporter', 'tap')
  // Columns are those of the code that ran, which was instrumented.
  const lines = (text: string): string[] => told(text).map((line) => line.replace(/(location: '.*:\d+):\d+'/, "$1'"))
  expect(lines(ours.output)).toEqual(lines(plain.output))
  expect(project.counted()).toEqual(counts)
  expect(ours.code).toBe(plain.code)
})

test('an order that was replayed without a failure is replayed again only if the code has changed, or with --history off', () => {
  const project = projectOf({
    'shop.mjs': withoutTypes(SHOP),
    // Sells it twice, and nobody looks.
    'shop.test.mjs': TESTS.replace(
      /describe\([\s\S]*/,
      `test('sells', async () => void (await Promise.all([buy(file, 'ann'), sleep(200).then(() => buy(file, 'bob'))])))\n`,
    ),
  })
  const said = (...more: string[]): string =>
    project
      .heddle('test', '--replays', '12', ...more, '--', 'node', '--test')
      .output.match(/^Heddle: \d.*$/m)![0]
      .replace(/\d+ orders?/, 'N orders')
  expect(said()).toBe('Heddle: 1 test analysed, 1 replayed; no failure found.')
  expect(said()).toBe('Heddle: 1 test analysed, 0 replayed, N orders not replayed again (same code, --history); no failure found.')
  expect(said('--history', 'off')).toBe('Heddle: 1 test analysed, 1 replayed; no failure found.')
  writeFileSync(join(project.folder, 'shop.mjs'), `${withoutTypes(SHOP)}// Changed.\n`)
  expect(said()).toBe('Heddle: 1 test analysed, 1 replayed; no failure found.')
})

test('a run in which no test was recorded is no success', () => {
  const project = projectOf({ 'app.mjs': 'console.log("no test in here")' })
  const { code, output } = project.heddle('test', '--', 'node', 'app.mjs')
  expect(output).toMatch(/^Heddle: no test was recorded\. /m)
  expect(code).toBe(2)
})

test('with the default budget a short suite is looked at a little in each run, and what it hides is found in a few', () => {
  const waits = `async () => {
    const box = { n: 0 }
    await Promise.all([1, 2].map(async () => { await readFile(file); box.n++ }))
    assert.equal(box.n, 2)
  }`
  const project = projectOf({
    'shop.mjs': withoutTypes(SHOP),
    'shop.test.mjs': `${HEAD}import { readFile } from 'node:fs/promises'
import { buy } from './shop.mjs'
const file = join(mkdtempSync(join(tmpdir(), 'shop-')), 'left.json')
writeFileSync(file, '1')
after(() => rmSync(join(file, '..'), { recursive: true }))
beforeEach(() => writeFileSync(file, '1'))
${Array.from({ length: 8 }, (_, i) => `it('waits ${i}', ${waits})`).join('\n')}
it('sells the last ticket once', ${once('buy')})
`,
  })
  const said: string[] = []
  for (let nth = 1; nth <= 8 && !said.some((output) => /ConfirmedFinding: FAILED/.test(output)); nth++) {
    const { output, code } = project.heddle('test', '--', 'node', '--test', '--test-reporter', 'spec')
    expect(code).toBe(/ConfirmedFinding/.test(output) ? 1 : 0)
    said.push(output)
  }
  expect(said.at(-1)).toMatch(/✖ sells the last ticket once/)
  expect(said[0]).toMatch(/^ {2}Left for the next run, for lack of time \(--budget\) or replays \(--replays\): /m)
})
