/** Sites of recorded calls, however often they are made. */
import { expect, test } from 'vitest'
import type { RunConfig } from '../../src/runtime/js/protocol.ts'
import type { Watch } from '../../src/property/watch.ts'
import { run } from '../runtime/program.ts'
import { REPLAY } from './nothing-held.ts'

const watch = (owner: string, name: string, more: Partial<Watch> = {}): Watch => ({
  kind: 'call',
  owner,
  subclasses: true,
  name,
  when: ['before'],
  args: 0,
  ...more,
})

/** The sites of calls, without columns, each with how often it comes. */
async function sites(
  program: string,
  watches: readonly Watch[],
  config: Partial<RunConfig> = {},
  file = 'main.js',
): Promise<Map<string, number>> {
  const outcome = await run({ [file]: program }, { config: { watch: watches, ...config } })
  expect(outcome.stderr).toBe('')
  const counts = new Map<string, number>()
  for (const line of outcome.lines()) {
    const at = /^call\(.*? @ (.*)$/.exec(line)?.[1]?.replace(/(:\d+):\d+/g, '$1')
    if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return counts
}

const A = `class A { go(n) { return n } }
const a = new A()
`

test('one chain: the same site for all calls', async () => {
  const program = `${A}function f(i) {
  a.go(i)
}
for (let i = 0; i < 100; i++)
  f(i)`
  expect(await sites(program, [watch('A', 'go')])).toEqual(new Map([['main.js:4 f < main.js:7', 100]]))
})

test('several chains: all of them for a while, then the innermost place', async () => {
  const program = `${A}function f(i) {
  a.go(i)
}
for (let i = 0; i < 500; i++) {
  if (i % 2) f(i)
  else
    f(i)
}`
  const found = await sites(program, [watch('A', 'go')])
  expect([...found.keys()].sort()).toEqual(['main.js:4 f', 'main.js:4 f < main.js:7', 'main.js:4 f < main.js:9'])
  expect(found.get('main.js:4 f < main.js:7')).toBeGreaterThan(100)
  expect(found.get('main.js:4 f')).toBeGreaterThan(200)
})

test('in replays the whole chain, every time', async () => {
  const program = `${A}function f(i) {
  a.go(i)
}
for (let i = 0; i < 500; i++) {
  if (i % 2) f(i)
  else
    f(i)
}`
  const found = await sites(program, [watch('A', 'go')], REPLAY)
  expect(found).toEqual(
    new Map([
      ['main.js:4 f < main.js:9', 250],
      ['main.js:4 f < main.js:7', 250],
    ]),
  )
})

test('calls in arguments, under other names, and of two objects at one place', async () => {
  const program = `${A}for (let i = 0; i < 40; i++) {
  a.go(
    a.go(i))
  const go = 'go', { go: direct } = a
  a[go](i)
  direct.call(a, i)
  for (const b of [a, new A()])
    b.go()
  try { a.go(null.x) } catch {}
  a[go](i)
}`
  const found = await sites(program, [watch('A', 'go')])
  expect(Object.fromEntries(found)).toEqual({
    'main.js:4': 40,
    'main.js:5': 40,
    'main.js:7': 40,
    'main.js:8': 40,
    'main.js:10': 80,
    // What line 11 announces never comes.
    'main.js:12': 40,
  })
})

test('what Node calls inside of a recorded call, and by itself', async () => {
  const program = `const { Transform } = require('stream')
let left = 40
function one() {
  const t = new Transform({ transform(c, e, cb) { cb(null, c) } })
  t.resume()
  t.end('x')
  t.on('close', () => left-- && one())
}
one()`
  const found = await sites(program, [watch('Writable', 'end'), watch('Writable', 'write'), watch('Writable', 'destroy')])
  expect([...found.keys()].every((at) => /^main\.js:(6|7|9)/.test(at))).toBe(true)
  expect([...found.keys()].some((at) => at.startsWith('main.js:6 one'))).toBe(true)
})

test("the loader's own messages and files are no calls of the program", async () => {
  const program = `import { openSync, closeSync } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
closeSync(openSync(new URL(import.meta.url)))
await import('node:os')
const { port1 } = new MessageChannel()
port1.postMessage(1)
port1.close()`
  const watches = [watch('MessagePort', 'postMessage'), watch('MessagePort', 'close'), watch('fs', '*Sync')]
  expect(Object.fromEntries(await sites(program, watches, {}, 'main.mjs'))).toEqual({ 'main.mjs:3': 2, 'main.mjs:6': 1, 'main.mjs:7': 1 })
})
