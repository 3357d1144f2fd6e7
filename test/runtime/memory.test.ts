/** Which accesses to memory are in the trace. */
import { expect, test } from 'vitest'
import { run } from './program.ts'

const accesses = (lines: string[]): string[] =>
  lines.filter((line) => /^(r|w|rAt|wAt)\(/.test(line)).map((line) => line.replace(/ @.*/, ''))

async function recorded(body: string, name = 'main.js'): Promise<string[]> {
  const { lines, stderr, code } = await run({ [name]: body })
  expect([stderr, code]).toEqual(['', 0])
  return accesses(lines())
}

/** Each function is a turn of its own. */
const turns = (...bodies: string[]): string => bodies.map((body, i) => `setTimeout(() => { ${body} }, ${i * 5 + 1})\n`).join('')

test('what only one turn touches, or nobody writes after the main script, is not there', async () => {
  expect(await recorded(`const o = { a: 1, b: 2 }; ${turns('o.a; o.x = 1; o.x', 'o.a', 'o.a')}`)).toEqual([])
})

test('a write and a read of two turns are, the first of them late', async () => {
  expect(await recorded(`const o = {}; o.a = 0; ${turns('o.a = 1; o.a = 2', 'o.a; o.a')}`)).toEqual([
    'wAt(Object#1.a)=0',
    'wAt(Object#1.a)=1',
    'r(Object#1.a)',
  ])
})

test('earlier reads are there as soon as somebody writes', async () => {
  expect(await recorded(`const o = { a: 1 }; ${turns('o.a', 'o.a', 'o.a = "x"')}`)).toEqual([
    'rAt(Object#1.a)=1',
    'rAt(Object#1.a)=2',
    'w(Object#1.a)="x"',
  ])
})

test('accesses to elements, to the order, and to all of an array are told apart', async () => {
  expect(await recorded(`const a = [1, 2]; ${turns('a[0] = 5', 'a[0]; a[1]', 'a.push(1)', 'a.length')}`)).toEqual([
    'wAt(Array#1[0])=1',
    'r(Array#1[0])',
    'wAt(Array#1[*])=1',
    'r(Array#1[*])',
    'rAt(Array#1[])=2',
    'w(Array#1[])',
    'r(Array#1[*])',
    'r(Array#1[])',
  ])
})

test('maps and sets by key, and by which keys they have', async () => {
  expect(await recorded(`const m = new Map(); ${turns('m.set("k", 1)', 'm.get("k"); m.get("other")', 'm.set("k", 2)', 'm.size')}`)).toEqual(
    ['wAt(Map#1<"k">)=1', 'r(Map#1<"k">)', 'w(Map#1<"k">)', 'wAt(Map#1<>)=1', 'r(Map#1<>)'],
  )
  expect(await recorded(`const s = new Set(); ${turns('s.add(7)', 's.has(7)', 's.delete(7)', 'for (const x of s);')}`)).toEqual([
    'wAt(Set#1<7>)=1',
    'r(Set#1<7>)',
    'wAt(Set#1<>)=1',
    'w(Set#1<>)',
    'w(Set#1<7>)=undefined',
    'r(Set#1<>)',
  ])
})

test('keys of objects are locations', async () => {
  expect(await recorded(`const o = {}; ${turns('o.k = 1', 'Object.keys(o)', 'delete o.k')}`)).toContain('r(Object#1<>)')
})

test('variables that closures share, each activation for itself', async () => {
  const seen = await recorded(`
let n = 0
function counter() { let c = 0; return () => c++ }
const one = counter(), two = counter()
${turns('n++; one()', 'n++; two()', 'one()', 'two()')}`)
  expect(seen).toContain('w(variable n of main.js:2)=2')
  expect(seen).toContain('w(variable c of main.js:3)=2')
  expect(seen).toContain('w(variable c of main.js:3 #2)=2')
})

test('private fields, frozen objects, proxies, objects without a prototype', async () => {
  const seen = await recorded(`
class Box { #v = 0; set(v) { this.#v = v } get() { return this.#v } }
const box = new Box()
const traps = []
const proxy = new Proxy({}, { get(t, k) { traps.push(k); return t[k] }, set(t, k, v) { traps.push(k); t[k] = v; return true }, has() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 }, getOwnPropertyDescriptor() { throw 4 } })
const frozen = Object.freeze({ list: [] })
const bare = Object.create(null)
${turns('box.set(1); proxy.a = 1; frozen.list.push(1); bare.x = 1', 'box.get(); proxy.a; frozen.list.length; bare.x', 'if (traps.join() !== "a,a") throw new Error(traps)')}`)
  expect(seen).toContainEqual(expect.stringMatching(/^r\(Box#\d\.#v\)/))
  expect(seen).toContainEqual(expect.stringMatching(/^r\(Proxy#\d\.a\)/))
  expect(seen.filter((line) => line.startsWith('r(Object#') || line.startsWith('r(Array#')).length).toBeGreaterThan(0)
})

test('several chains in one turn are several segments', async () => {
  const { lines } = await run({
    'main.js': `
const o = {}
let go
const gate = new Promise((r) => (go = r))
setTimeout(async () => { await gate; o.a = 1 }, 1)
setTimeout(async () => { await gate; o.a = 2 }, 5)
setTimeout(() => go(), 20)
`,
  })
  const writes = lines().filter((line) => /^(wAt|w)\(Object#\d+\.a\)|^chain/.test(line))
  expect(writes.length).toBeGreaterThan(3)
})

test('the clock is a location', async () => {
  expect(await recorded(turns('Date.now(); new Date(); performance.now()', 'Date.now()'))).toEqual(['r(clock)', 'r(clock)'])
})

test('modules of both kinds, with positions of the source', async () => {
  const { lines, report } = await run({
    'main.mjs': `import { box } from './box.mjs'\nimport cjs from './sub/plain.cjs'\nsetTimeout(() => { box.n = 1; cjs.n = 1 }, 1)\nsetTimeout(() => { box.n; cjs.n }, 5)\n`,
    'box.mjs': `export const box = {}\n`,
    'sub/plain.cjs': `module.exports = {}\n`,
  })
  expect(report?.modules.map((file) => file.split('/').at(-1)).toSorted()).toEqual(['box.mjs', 'main.mjs', 'plain.cjs'])
  expect(lines()).toContainEqual(expect.stringMatching(/^r\(Object#\d\.n\) @ main\.mjs:4:2\d <anonymous>$/))
})

test('include, exclude, and what cannot be parsed', async () => {
  const files = {
    'main.js': `require('./a.js'); require('./lib/b.js'); try { require('./bad.js') } catch {} require('./c.min.js')`,
    'a.js': '',
    'lib/b.js': '',
    'bad.js': 'let = =',
    'c.min.js': `0;${'1;'.repeat(70_000)}`,
  }
  const { report } = await run(files, { config: { exclude: ['lib'] } })
  const names = (list: readonly string[]): string[] => list.map((file) => file.split('/').at(-1)!).toSorted()
  expect(names(report!.modules)).toEqual(['a.js', 'main.js'])
  expect(report!.skipped.map(({ file, why }) => `${file.split('/').at(-1)}: ${why.replace(/parsed:.*/, 'parsed')}`)).toEqual([
    'b.js: excluded',
    'bad.js: cannot be parsed',
    'c.min.js: minified',
  ])
  const all = await run(files, { config: { include: ['*.min.js'] } })
  expect(names(all.report!.modules)).toContain('c.min.js')
})

test('answers from outside under --timers latency', async () => {
  const files = {
    'main.js': `const cache = require('cache'); cache(async function load(key) { return key + 1 }, 1).then(console.log)\n`,
    'node_modules/cache/index.js': `module.exports = async (load, key) => await load(key)\n`,
  }
  const turnsOf = (lines: string[]): string[] => lines.filter((line) => line.startsWith('turn(')).map((line) => line.replace(/ @.*/, ''))
  const due = await run(files)
  expect([due.stdout, turnsOf(due.lines())]).toEqual(['2\n', ['turn(main)']])
  const latency = await run(files, { config: { timers: 'latency' } })
  expect([latency.stdout, turnsOf(latency.lines())]).toEqual(['2\n', ['turn(main)', 'turn(answer.load)', 'turn(answer.exports)']])
})
