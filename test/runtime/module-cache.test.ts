/** Instrumented modules that are kept from run to run: what is used, and what is not. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { modulesFolder, sweep } from '../../src/frontends/node/cache-folder.ts'
import { ModuleCache } from '../../src/runtime/js/load/module-cache.ts'
import { Transformer, type Loaded } from '../../src/runtime/js/load/transform.ts'
import { run } from './program.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-cache-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const MODULE = { code: 'var $hd = 1;\nrun("ä")', spans: 'AB' }

function filled(): { cache: ModuleCache; key: string; path: string; dir: string } {
  const dir = folder()
  const cache = new ModuleCache({ folder: dir, version: '1' }, {})
  const key = cache.key('/a.js', 'commonjs', 'run("ä")')!
  cache.put(key, MODULE)
  return { cache, key, path: join(dir, key), dir }
}

test('what was put is there, under its own name only', () => {
  const { cache, key, dir } = filled()
  expect(cache.get(key)).toEqual(MODULE)
  expect(readdirSync(dir)).toEqual([key])
  const others = [
    cache.key('/b.js', 'commonjs', 'run("ä")'),
    cache.key('/a.js', 'module', 'run("ä")'),
    cache.key('/a.js', 'commonjs', 'run("a")'),
    new ModuleCache({ folder: dir, version: '2' }, {}).key('/a.js', 'commonjs', 'run("ä")'),
    new ModuleCache({ folder: dir, version: '1' }, { detail: true }).key('/a.js', 'commonjs', 'run("ä")'),
  ]
  expect(new Set([...others, key]).size).toBe(6)
  for (const other of others) expect(cache.get(other)).toBeUndefined()
})

test('half a character is not kept', () => {
  const { cache } = filled()
  expect(cache.key('/a.js', 'commonjs', 'run("\ud800")')).toBeUndefined()
  expect(cache.get(undefined)).toBeUndefined()
})

test('an entry that was cut short, changed, or has another name does not count', () => {
  const { cache, key, path, dir } = filled()
  const text = readFileSync(path, 'utf8')
  for (const wrong of ['', text.slice(0, -1), text.slice(0, 70), text.replace('run', 'rum'), `${text} `, '\n\n', 'x'.repeat(1000)]) {
    writeFileSync(path, wrong)
    expect(cache.get(key)).toBeUndefined()
  }
  const other = cache.key('/b.js', 'commonjs', '')!
  writeFileSync(path, text)
  renameSync(path, join(dir, other))
  expect(cache.get(other)).toBeUndefined()
  // It is made anew.
  cache.put(key, MODULE)
  expect(cache.get(key)).toEqual(MODULE)
})

test('a link, a folder, and a file that others may write do not count', () => {
  const { cache, key, path, dir } = filled()
  chmodSync(path, 0o620)
  expect(cache.get(key)).toBeUndefined()
  chmodSync(path, 0o600)
  expect(cache.get(key)).toEqual(MODULE)
  renameSync(path, join(dir, 'elsewhere'))
  symlinkSync('elsewhere', path)
  expect(cache.get(key)).toBeUndefined()
  rmSync(path)
  mkdirSync(path)
  expect(cache.get(key)).toBeUndefined()
})

test('a folder that cannot be written is no reason to fail', () => {
  const cache = new ModuleCache({ folder: '/proc/nope', version: '1' }, {})
  const key = cache.key('/a.js', 'commonjs', '')
  cache.put(key, MODULE)
  expect(cache.get(key)).toBeUndefined()
})

test('a kept module has the code and the columns it had', () => {
  const cache = { folder: folder(), version: '1' }
  const source = 'const box = { n: 1 }\nmodule.exports = () => { box.n = other.a.b + box.n; throw new Error(box.n) }\nbox.n++\n'
  const seen: Loaded[] = []
  const config = { include: [], exclude: [], detail: false, timers: 'due', accesses: true, cache } as const
  for (let i = 0; i < 2; i++) new Transformer(config, (loaded) => seen.push(loaded)).transform('/a.js', source, 'commonjs')
  const [first, second] = seen.map(({ texts }) => texts!)
  expect(second!.code).toBe(first!.code)
  const places = first!.code.split('\n').flatMap((line, l) => Array.from(line, (_, c) => [l + 1, c + 1] as const))
  expect(places.map(([l, c]) => second!.column(l, c))).toEqual(places.map(([l, c]) => first!.column(l, c)))
  expect(readdirSync(cache.folder)).toHaveLength(1)
})

test('programs run the same with it: sites, texts of functions, ES modules, workers', async () => {
  const cache = { folder: folder(), version: '1' }
  // The names of modules are part of what they are kept under.
  const root = folder()
  const files = {
    'main.cjs': `const { Worker } = require('worker_threads')
const shared = require('./shared.cjs')
console.log(shared.set.toString())
setTimeout(() => shared.set(1)); setTimeout(() => shared.set(2), 20)
import('./module.mjs').then((m) => {
  console.log(m.get)
  new Worker(__dirname + '/worker.cjs', { workerData: new SharedArrayBuffer(8) }).on('exit', (code) => console.log(code))
})`,
    'shared.cjs': 'const box = { n: 0 }\nexports.set = (n) => { box.n += n; return box }',
    'module.mjs': 'let count = 0\nexport const get = String((o) => o.a.b + count++)',
    'worker.cjs': `const { workerData } = require('worker_threads')\nnew Int32Array(workerData)[0]++`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const start = { 'start.cjs': `require(${JSON.stringify(join(root, 'main.cjs'))})` }
  const plain = await run(start, { plain: true })
  const cold = await run(start, { config: { cache, root } })
  const kept = readdirSync(cache.folder)
  expect(kept.length).toBeGreaterThanOrEqual(5)
  const warm = await run(start, { config: { cache, root } })
  // Only what starts it has another name.
  expect(readdirSync(cache.folder)).toHaveLength(kept.length + 1)
  for (const one of [cold, warm]) {
    expect(one.stderr).toBe('')
    expect(one.stdout).toBe(plain.stdout)
    expect(one.report?.modules.filter((file) => file.startsWith(root))).toHaveLength(3)
    expect(one.report?.skipped).toEqual([])
  }
  // The segment of an earlier access is another one where the import answers before the timer.
  const accesses = (lines: readonly string[]): string[] =>
    lines.filter((line) => line.includes('.n)')).map((line) => line.replace(/^(.At\(.*\))=\d+/, '$1'))
  expect(accesses(warm.lines())).toEqual(accesses(cold.lines()))
  expect(accesses(warm.lines()).join()).toContain('shared.cjs:2:')
})

test('what is old or too much is removed, and nothing else', () => {
  const dir = folder()
  const now = Date.now()
  const put = (name: string, days: number, bytes = 10): string => {
    writeFileSync(join(dir, name), 'x'.repeat(bytes))
    utimesSync(join(dir, name), new Date(), new Date(now - days * 86_400_000))
    return name
  }
  const name = (letter: string): string => letter.repeat(64)
  put(name('a'), 31)
  put(`${name('b')}.12-0-1`, 2)
  const kept = [put(`${name('b')}.12-0-2`, 0), put(name('c'), 29), put('notes.txt', 100)]
  sweep(dir, now)
  expect(readdirSync(dir)).toEqual(kept.sort())
  put(name('d'), 1, 500)
  put(name('e'), 2, 500)
  sweep(dir, now, 1000)
  expect(readdirSync(dir)).toEqual([`${name('b')}.12-0-2`, name('d'), 'notes.txt'].sort())
})

test('there is none where it is turned off, in the folder of the program, or where others can write', () => {
  const dir = folder()
  vi.stubEnv('XDG_CACHE_HOME', dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(modulesFolder('/usr')).toEqual({ folder: join(dir, 'heddle/modules') })
  expect(modulesFolder(dir)).toMatchObject({ why: expect.stringContaining('in the folder of the program') })
  vi.stubEnv('HEDDLE_CACHE', 'off')
  expect(modulesFolder('/usr')).toEqual({ why: 'HEDDLE_CACHE is off' })
  vi.stubEnv('HEDDLE_CACHE', '')
  chmodSync(join(dir, 'heddle/modules'), 0o770)
  expect(modulesFolder('/usr')).toMatchObject({ why: expect.stringContaining('others can write') })
})
