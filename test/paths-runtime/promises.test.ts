/** Values that come through promises are followed: docs/branches.md. One program for all, a line for each. */
import { expect, test } from 'vitest'
import { branchesOf, record, rowsOf } from './paths-run.ts'

const FOLLOWED: Record<string, string> = {
  'then, with a callback': `read().then((v) => { if (v === 3) 1 })`,
  'a chain of them': `read().then((v) => v).then(async (v) => { await null; return v }).then((v) => { if (v === 3) 1 })`,
  finally: `read().finally(() => 7).then((v) => { if (v === 3) 1 })`,
  'what a callback gives': `if ((await read().then((v) => v)) === 3) 1`,
  catch: `read().then((v) => Promise.reject(v)).then(() => 0).catch((v) => { if (v === 3) 1 })`,
  all: `const list = await Promise.all([sleep(2), read()]); if (list[1] === 3) 1`,
  'a pattern of all': `const [, v] = await Promise.all([7, read()]); if (v === 3) 1`,
  'a pattern as parameter': `Promise.all([7, read()]).then(([, v]) => { if (v === 3) 1 })`,
  'an object as parameter': `read().then((v) => ({ v })).then(({ v }) => { if (v === 3) 1 })`,
  'functions that map calls': `const [v] = await Promise.all([0].map(() => read())); if (v === 3) 1`,
  'async functions that map calls': `const [v] = await Promise.all([0].map(async () => { const v = await read(); return v })); if (v === 3) 1`,
  allSettled: `const [a] = await Promise.allSettled([read()]); if (a.value === 3) 1`,
  resolve: `const p = new Promise((resolve) => setTimeout(() => resolve(box.n + 1), 3)); if ((await p) === 3) 1`,
  'resolve with a promise': `const p = new Promise((resolve) => resolve(read())); if ((await p) === 3) 1`,
  reject: `const p = new Promise((_, reject) => setTimeout(() => reject(box.n + 1), 3)); p.catch((v) => { if (v === 3) 1 })`,
  'Promise.resolve': `if ((await Promise.resolve(box.n + 1)) === 3) 1`,
}
const OPAQUE: Record<string, string> = {
  'a native function as callback': `read().then(String).then((v) => { if (v === '3') 1 })`,
  race: `if ((await Promise.race([sleep(99), read()])) === 3) 1`,
  'an error that was thrown': `(async () => { await null; throw box.n + 1 })().catch((v) => { if (v === 3) 1 })`,
  'the second listener': `const e = new Emitter(); e.on('x', () => 0); e.on('x', (v) => { if (v === 3) 1 }); e.emit('x', box.n + 1)`,
  'super()': `class A { constructor(v) { if (v === 3) 1 } } class B extends A { constructor(v) { super(v) } } new B(box.n + 1)`,
}
const CONSTANT: Record<string, string> = {
  files: `await sleep(1); if ((await require('node:fs').promises.readFile(__filename, 'utf8')).length > 3) 1`,
}
const ALL = Object.entries({ ...FOLLOWED, ...OPAQUE, ...CONSTANT })

/** Each line decides in a turn of its own, and what follows. */
const PROGRAM = `const start = () => { ${ALL.map(([, then], i) => `setTimeout(async () => { ${then} }, ${1 + i})`).join('\n')} }
const box = { n: 1 }, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)), Emitter = require('node:events')
const read = async () => { const n = box.n; await sleep(1); return n + 1 }
setTimeout(() => { box.n = 2; start() }, 1)`

test('values that come through promises keep their expressions', async () => {
  const { directory, stderr } = await record(PROGRAM)
  expect(stderr).toBe('')
  const rows = rowsOf(directory)
  const texts = branchesOf(rows)
  const decided: Record<string, string> = {}
  for (const [i, row] of rows.filter(({ op }) => op === 'branch').entries())
    if (row.target === 'if') decided[ALL[Number(/:(\d+):/.exec(row.site)![1]) - 1]![0]] = texts[i]!
  const of = (lines: Record<string, string>): [string, string | undefined][] => Object.keys(lines).map((name) => [name, decided[name]])
  expect(of(FOLLOWED)).toEqual(Object.keys(FOLLOWED).map((name) => [name, 'if true by ===(+(Object.n 1) 3)']))
  // Not followed, and not taken for constants either.
  const opaque: unknown = expect.stringMatching(/^if true by .*(Object\.n|since)/)
  expect(of(OPAQUE)).toEqual(Object.keys(OPAQUE).map((name) => [name, opaque]))
  expect(of(CONSTANT)).toEqual(Object.keys(CONSTANT).map((name) => [name, 'if true']))
})
