/** heddle.config.*: which file counts, what it may hold, and what wins. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_OPTIONS } from '../../src/options/table.ts'
import { configOptions, loadConfig } from '../../src/config/config.ts'
import { camel } from '../../src/options/names.ts'
import { configReference } from '../../src/config/reference.ts'
import type { Config, TestSettings } from '../../src/options/settings.ts'
import { HeddleError } from '../../src/errors.ts'
import { expectRefused, heddleIn, ROOT } from '../cli/run.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'heddle-config-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const json = (values: unknown): void => put('heddle.config.json', JSON.stringify(values))

async function refused(cwd = folder, which?: string): Promise<HeddleError> {
  const error: unknown = await loadConfig(cwd, which).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(HeddleError)
  return error as HeddleError
}

/** By the built Heddle in a process of its own: how files are imported is Node's matter, not the test runner's. */
function loadedBy(cwd: string): { out: string; err: string } {
  const code = `import { loadConfig } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)}
try { const { check, test } = await loadConfig('.'); console.log(JSON.stringify([[...check], test.time])) } catch (error) { console.log(error.message) }`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' })
  return { out: stdout.trim(), err: stderr }
}

function installed(...names: ('heddle' | 'tsx')[]): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const name of names) symlinkSync(name === 'heddle' ? ROOT : join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
}

test('the types have the options of the table, and no others', () => {
  const top: Record<keyof Config, true> = {
    timers: true,
    time: true,
    budget: true,
    replays: true,
    maxFindings: true,
    confirm: true,
    maxDelay: true,
    isolate: true,
    atOnce: true,
    beforeEach: true,
    afterEach: true,
    recordTime: true,
    expectExit: true,
    only: true,
    include: true,
    exclude: true,
    detail: true,
    order: true,
    branches: true,
    branchWindow: true,
    property: true,
    library: true,
    history: true,
    picture: true,
    whyVaries: true,
    depth: true,
    exhaustive: true,
    report: true,
    failOn: true,
    annotations: true,
    json: true,
    verbose: true,
    test: true,
  }
  expect([...configOptions().map((o) => camel(o.name)), 'test'].toSorted()).toEqual(Object.keys(top).toSorted())
  const ofTests: Record<keyof TestSettings, true> = {
    timers: true,
    time: true,
    budget: true,
    replays: true,
    maxFindings: true,
    confirm: true,
    isolate: true,
    include: true,
    exclude: true,
    property: true,
    library: true,
    off: true,
    whyVaries: true,
    depth: true,
    exhaustive: true,
    history: true,
  }
  expect(TEST_OPTIONS.map((o) => camel(o.name)).toSorted()).toEqual(Object.keys(ofTests).toSorted())
})

test('docs/configuration.md is made from the table of options', () => {
  const path = join(ROOT, 'docs/configuration.md')
  if (process.env['UPDATE'] === '1') writeFileSync(path, configReference())
  expect(readFileSync(path, 'utf8')).toBe(configReference())
})

test('the file is looked for up to the package, and no further', async () => {
  json({ time: 5 })
  put('package/package.json', '{}')
  put('package/src/deep/x', '')
  expect((await loadConfig(join(folder, 'package/src/deep'))).file).toBeUndefined()
  put('package/heddle.config.json', '{ "time": 7 }')
  const found = await loadConfig(join(folder, 'package/src/deep'))
  expect(found.file).toBe(join(folder, 'package/heddle.config.json'))
  expect(found.check.get('time')).toEqual(['7'])
  expect((await loadConfig(join(folder, 'package/src/deep'), 'none')).check.size).toBe(0)
  expect((await loadConfig(join(folder, 'package'), '../heddle.config.json')).check.get('time')).toEqual(['5'])
  // Not in a package: only the folder itself.
  put('alone/below/x', '')
  put('alone/heddle.config.json', '{}')
  expect((await loadConfig(join(folder, 'alone'))).file).toBe(join(folder, 'alone/heddle.config.json'))
  expect((await loadConfig(join(folder, 'alone/below'))).file).toBeUndefined()
})

test('values of every type, and files relative to the configuration', async () => {
  json({
    $schema: 'x',
    timers: 'latency',
    branches: true,
    detail: false,
    library: false,
    history: 'on',
    include: 'a/**',
    property: ['p.prop', 'library:X'],
  })
  const { check } = await loadConfig(folder)
  expect(Object.fromEntries(check)).toEqual({
    timers: ['latency'],
    branches: [''],
    library: ['off'],
    history: ['on'],
    include: ['a/**'],
    property: [join(folder, 'p.prop'), 'library:X'],
  })
})

test('the section test: defaults, its own, and what it shares with the top', async () => {
  expect((await loadConfig(folder)).test).toMatchObject({ time: 20, maxFindings: 1, timers: 'due', library: true, off: [] })
  json({ time: 300, timers: 'latency', exclude: ['x'], test: { replays: 4, exclude: ['y'], off: 'slow/**', library: 'off' } })
  expect((await loadConfig(folder)).test).toMatchObject({
    time: 20,
    replays: 4,
    timers: 'latency',
    exclude: ['y'],
    off: ['slow/**'],
    library: false,
  })
})

test.each<[unknown, string, RegExp]>([
  [{ maxFinding: 1 }, 'unknown-key', /^heddle\.config\.json has no option "maxFinding"\. Did you mean maxFindings\?$/],
  [{ 'max-findings': 1 }, 'unknown-key', /Did you mean maxFindings\?/],
  [{ 'zzz\n': 1 }, 'unknown-key', /has no option "zzz\\n"\. docs\/configuration\.md has the list/],
  [{ time: 0 }, 'wrong-value', /has time as "0"\. Give a whole number of seconds from 1 to 86400/],
  [{ time: '60' }, 'wrong-value', /has time as "'60'"/],
  [{ time: 1.5 }, 'wrong-value', /whole number/],
  [{ timers: 'dew' }, 'wrong-value', /Give 'due' or 'latency'/],
  [{ branches: 'yes' }, 'wrong-value', /Give true or false/],
  [{ include: [1] }, 'wrong-value', /Give a text, or a list of texts/],
  [{ include: '' }, 'wrong-value', /Give a text/],
  [{ config: 'x' }, 'not-here', /cannot have config: it is this file/],
  [{ test: [] }, 'wrong-value', /an object/],
  [{ test: { time: 10, of: 'x' } }, 'unknown-key', /^heddle\.config\.json, test, has no option "of"\. Did you mean off\?/],
  [[], 'config-no-object', /exports a list/],
])('%j is refused', async (values, code, pattern) => {
  json(values)
  const error = await refused()
  expect(error.code).toBe(code)
  expect(error.message).toMatch(pattern)
})

test('a file that is missing, broken or ambiguous', async () => {
  expect((await refused(folder, 'nope.json')).code).toBe('config-missing')
  put('c.yaml', '')
  expect((await refused(folder, 'c.yaml')).code).toBe('config-name')
  put('heddle.config.json', '{ time: 1 }')
  expect((await refused()).message).toMatch(/^heddle\.config\.json cannot be read: .*JSON/)
  put('heddle.config.mjs', 'export default {}')
  expect((await refused()).message).toMatch(/heddle\.config\.mjs and heddle\.config\.json/)
})

test.each([
  ['heddle.config.mjs', 'export default { time: 9, test: { time: 3 } }'],
  ['heddle.config.js', 'module.exports = { time: 9, test: { time: 3 } }'],
  ['heddle.config.ts', 'const time: number = 9\nexport default { time, test: { time: 3 } }'],
])('%s is read', (name, text) => {
  if (name.endsWith('.ts')) installed('tsx')
  put('package.json', '{}')
  put(name, text)
  expect(loadedBy(folder).out).toBe('[[["time",["9"]]],3]')
})

test('programs that are no configuration', () => {
  put('heddle.config.mjs', 'throw new Error("not today\\nor ever")')
  expect(loadedBy(folder).out).toBe('heddle.config.mjs cannot be read: not today. Correct it, or say --config none')
  put('heddle.config.mjs', 'export default () => ({})')
  expect(loadedBy(folder).out).toMatch(/exports a function/)
  put('heddle.config.mjs', 'export const time = 1')
  expect(loadedBy(folder).out).toMatch(/exports nothing as its default/)
})

test.skipIf((process.features as { typescript?: unknown }).typescript)('TypeScript without anything that reads it', () => {
  put('heddle.config.ts', 'export default { time: 9 as number }')
  expect(loadedBy(folder).out).toMatch(/is TypeScript, which Node .* does not read by itself\. Install tsx/)
})

test('the snippets of docs/configuration.md', () => {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
  const [ts, asJson] = ['ts', 'json'].map((kind) => new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(page)![1]!)
  put('heddle.config.json', asJson!)
  expect(loadedBy(folder).out).toBe('[[["time",["120"]],["max-findings",["3"]]],10]')
  rmSync(join(folder, 'heddle.config.json'))
  installed('heddle', 'tsx')
  put('heddle.config.ts', ts!)
  expect(loadedBy(folder).out).toMatch(/^\[\[\["time",\["120"\]\],.*shop\.prop.*\]\]\],10\]$/)
})

test('flags win over the file, the file over the defaults', () => {
  put('idle.mjs', '')
  json({ time: 33, maxFindings: 3 })
  const { budgets } = JSON.parse(heddleIn(folder, 'check', '--json', '--max-findings', '4', '--', 'node', 'idle.mjs').out) as {
    budgets: unknown
  }
  expect(budgets).toEqual({ time: 33, replays: 60, maxFindings: 4, confirm: 3 })
  json({ tmie: 33 })
  expectRefused(heddleIn(folder, 'check', '--', 'node', 'idle.mjs'), /heddle\.config\.json has no option "tmie"\. Did you mean time\?/)
})
