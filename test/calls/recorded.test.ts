/** The trace of calls that a run is asked to watch. */
import { expect, test } from 'vitest'
import type { RunConfig } from '../../src/runtime/js/protocol.ts'
import type { Watch } from '../../src/property/watch.ts'
import { run, type Outcome } from '../runtime/program.ts'
import { REPLAY } from './nothing-held.ts'

const call = (owner: string | undefined, name: string, more: Partial<Watch> = {}): Watch => ({
  kind: 'call',
  ...(owner !== undefined && { owner: owner.replace('+', '') }),
  subclasses: owner?.endsWith('+') ?? false,
  name,
  when: ['before'],
  args: 1,
  ...more,
})

/** Calls with their operands, one a line, without places. Objects are numbered anew, in the order they come. */
function calls(outcome: Outcome): string[] {
  const found: string[] = []
  const numbers = new Map<string, string>()
  for (const line of outcome.lines()) {
    const text = line.replace(/ @ .*/, '')
    if (/^(call|ret|done|enter|exit)\(/.test(text)) found.push(text)
    else if (text.startsWith('arg(')) found[found.length - 1] += ` ${text.slice(4).replace(')', '')}`
  }
  return found.map((line) =>
    line.replace(/(?<=#[^#="]+)#(\d+)/g, (_all, number: string) => {
      if (!numbers.has(number)) numbers.set(number, String(numbers.size + 1))
      return `#${numbers.get(number)}`
    }),
  )
}

async function watched(files: string | Record<string, string>, watch: readonly Watch[], config: Partial<RunConfig> = {}): Promise<Outcome> {
  const outcome = await run(typeof files === 'string' ? { 'main.js': files } : files, { config: { watch, ...config } })
  expect(outcome.stderr).toBe('')
  expect(outcome.code).toBe(0)
  return outcome
}

const POOL = `
class Emitter {}
class Pool extends Emitter {
  query(sql, cb) { return cb ? void setTimeout(cb, 1, null, 7) : new Promise((resolve) => setTimeout(resolve, 1, 'rows')) }
  async release(c) { if (c === undefined) throw Object.assign(new TypeError('no client'), { code: 'E_NONE' }); return c }
}
class Bound extends Pool { query(...args) { return super.query(...args) } }
`

test('before and after, with receiver, arguments and result; what a method overrides is the same call', async () => {
  const outcome = await watched(`${POOL} new Bound().query('a', () => {})`, [call('Pool+', 'query', { when: ['before', 'after'] })])
  expect(calls(outcome)).toEqual([
    'call(Bound:Pool:Emitter.query)=#Bound#1 1="a"',
    'ret(Bound:Pool:Emitter.query)=#Bound#1 1="a" returns=undefined',
  ])
  expect(outcome.lines().find((line) => line.startsWith('call('))).toMatch(/ @ main\.js:8:\d+$/)
})

test('a class by its name, and with those that extend it', async () => {
  const program = `${POOL} new Bound().release(1); new Pool().release(2)`
  expect(calls(await watched(program, [call('Pool', 'release')]))).toEqual(['call(Pool:Emitter.release)=#Pool#1 1=2'])
  expect(calls(await watched(program, [call('Emitter+', 'release')]))).toHaveLength(2)
  expect(calls(await watched(program, [call('*', 'rel*')]))).toHaveLength(2)
  expect(calls(await watched(program, [call('Bo*', 'release')]))).toHaveLength(1)
  expect(calls(await watched(program, [call('Client', 'release')]))).toEqual([])
})

test('answers by promise and by callback are recorded', async () => {
  const outcome = await watched(
    `${POOL}
    const p = new Pool()
    p.query('a', function done(error, n) { console.log(error, n, done.name, done.length) })
    ;(async () => { console.log(await p.query('b')); try { await p.release() } catch (e) { console.log(e.code) } })()`,
    [call('*', 'query', { when: ['answered'] }), call('*', 'release', { when: ['answered'] })],
  )
  expect(outcome.stdout).toBe('null 7 done 2\nrows\nE_NONE\n')
  expect(calls(outcome)).toEqual([
    'done(Pool:Emitter.query)=#Pool#1 1="a" returns=7',
    'done(Pool:Emitter.query)=#Pool#1 1="b" returns="rows"',
    'done(Pool:Emitter.release)=#Pool#1 throws="E_NONE TypeError no client"',
  ])
})

test('an answer is in the chain that waited, after the turn that gave it', async () => {
  const outcome = await watched(`${POOL} new Pool().query('b').then(() => {})`, [call('*', 'query', { when: ['before', 'answered'] })])
  const lines = outcome.lines().map((line) => line.replace(/ @ .*/, ''))
  const done = lines.findIndex((line) => line.startsWith('done('))
  expect(lines.slice(0, done)).toContain('turn(timer 1 ms)')
  expect(lines[done - 1]).toMatch(/^(chain|after)/)
})

test('a call that throws is recorded with its error', async () => {
  const outcome = await watched(
    `class A { f() { throw new RangeError('far') } g() { throw 'text' } }
    for (const m of ['f', 'g']) try { m === 'f' ? new A().f() : new A().g() } catch (e) { console.log(String(e)) }`,
    [call('A', '*', { when: ['after'] })],
  )
  expect(outcome.stdout).toBe('RangeError: far\ntext\n')
  expect(calls(outcome)).toEqual(['ret(A.f)=#A#1 throws="RangeError far"', 'ret(A.g)=#A#2 throws="text"'])
})

test('names of classes are those of locations', async () => {
  const outcome = await watched(
    `class P { n = 0; inc() { this.n++ } } const p = new P(); setTimeout(() => p.inc(), 1); setTimeout(() => p.inc(), 5)`,
    [call('P', 'inc')],
  )
  const receiver = /call\(P\.inc\)=#(P#\d+)/.exec(outcome.lines().join('\n'))![1]!
  expect(outcome.lines().some((line) => line.startsWith(`w(${receiver}.n)`))).toBe(true)
})

test('values: primitives, cut strings, objects; functions and symbols are not observed', async () => {
  const outcome = await watched(
    `class A { f() {} } new A().f(1, 'x'.repeat(300), null, undefined, true, { a: 1 }, () => {}, Symbol('s'), 2n, [])`,
    [call('A', 'f', { args: 20 })],
  )
  const text = JSON.stringify('x'.repeat(200))
  expect(calls(outcome)).toEqual([`call(A.f)=#A#1 1=1 2=${text} 3=null 4=undefined 5=true 6=#Object#2 7 8 9=2n 10=#Array#3`])
})

test('emit with the events that were asked for', async () => {
  const outcome = await watched(
    `const { EventEmitter } = require('events'); class E extends EventEmitter {} const e = new E(); e.on('close', () => {}); e.emit('open'); e.emit('close', 1); new (require('stream').Readable)({ read() { this.push(null) } }).resume()`,
    [call('EventEmitter+', 'emit', { first: ['close'], args: 2 })],
  )
  expect(calls(outcome)).toEqual([
    'call(E:EventEmitter.emit)=#E#1 1="close" 2=1',
    'call(Readable:Stream:EventEmitter.emit)=#Readable#2 1="close"',
  ])
})

test('functions without a receiver, and functions that run', async () => {
  const outcome = await watched(
    `function getPort(n) { return n } console.log(getPort(1)); getPort?.(2); const f = getPort; f(3); class C { go() {} } new C().go()`,
    [call(undefined, 'getPort', { when: ['before', 'after'] }), { kind: 'execution', name: 'go', when: ['before', 'after'], args: 0 }],
  )
  expect(calls(outcome)).toEqual([
    'call(getPort) 1=1',
    'ret(getPort) 1=1 returns=1',
    'call(getPort) 1=2',
    'ret(getPort) 1=2 returns=2',
    'enter(C.go)',
    'exit(C.go)',
  ])
})

test('collections are recorded where they are called, and nowhere else', async () => {
  const outcome = await watched(
    `const m = new Map([['a', 1]]); console.log(m.get('a'), m.has('b')); new Set().add(1); const s = { m }; s.m?.delete('a'); console.log(Map.prototype.get.toString(), m.size)`,
    [call('Map', '*', { when: ['after'] }), call('Set', 'add')],
  )
  expect(outcome.stdout).toBe('1 false\nfunction get() { [native code] } 0\n')
  expect(calls(outcome)).toEqual([
    'ret(Map.get)=#Map#1 1="a" returns=1',
    'ret(Map.has)=#Map#1 1="b" returns=false',
    'call(Set.add)=#Set#2 1=1',
    'ret(Map.delete)=#Map#1 1="a" returns=true',
  ])
})

test('what cannot be replaced is recorded where it is called, if it can be', async () => {
  const outcome = await watched(
    {
      'main.mjs': `import * as db from './db.mjs'; console.log(db.query(1)); class F { query() { return this } } Object.freeze(F.prototype); console.log((new F()).query().constructor.name)`,
      'db.mjs': `export function query(x) { return x + 1 }`,
    },
    [call('*', 'query')],
  )
  expect(outcome.stdout).toBe('2\nF\n')
  expect(calls(outcome)).toEqual(['call(Object.query)=#Object#1 1=1', 'call(F.query)=#F#2'])
})

test('methods of objects, fields, static methods; getters and proxies are left alone', async () => {
  const outcome = await watched(
    `class A { query = (x) => x; static query(x) { return this.name + x } }
    const o = { query(x) { return this === o } }
    const g = { get query() { console.log('got'); return () => 4 } }
    const traps = (target) => new Proxy(target, { get(t, k) { console.log('trap', k); return t[k] }, getPrototypeOf() { throw 1 }, getOwnPropertyDescriptor() { throw 2 } })
    console.log(new A().query(1), A.query(2), o.query(3), g.query(), traps(o).query(), Object.keys(o))`,
    [call('*', 'query')],
  )
  expect(outcome.stdout).toBe("got\ntrap query\n1 A2 true 4 false [ 'query' ]\n")
  // The proxy of the object whose method was replaced has no class.
  expect(calls(outcome)).toEqual(['call(A.query)=#A#1 1=1', 'call(A.query)=#function A#2 1=2', 'call(Object.query)=#Object#3 1=3'])
})

test('exports of packages have the name of the package', async () => {
  const outcome = await watched(
    {
      'main.js': `const l = require('lockfile'); l.lock('x', () => l.unlock('x'))`,
      'node_modules/lockfile/index.js': `exports.lock = (f, cb) => setTimeout(cb, 1); exports.unlock = () => {}`,
    },
    [call('lockfile', '*lock', { when: ['before', 'answered'] })],
  )
  expect(calls(outcome)).toEqual([
    'call(lockfile:Object.lock)=#Object#1 1="x"',
    'done(lockfile:Object.lock)=#Object#1 1="x" returns=undefined',
    'call(lockfile:Object.unlock)=#Object#1 1="x"',
  ])
})

test('functions of modules: callbacks, promises, sync; timers as globals', async () => {
  const outcome = await watched(
    {
      'main.mjs': `import { readFile, statSync } from 'node:fs'; import * as fs from 'fs/promises'; statSync('.'); readFile('main.mjs', () => {}); await fs.stat('nowhere').catch(() => {}); clearTimeout(setTimeout(() => {}, 5))`,
    },
    [call('fs', '*', { when: ['before', 'answered'] }), call('fs/promises', 'stat', { when: ['answered'] }), call('timers', 'clear*')],
  )
  const all = calls(outcome).map((line) => line.replace(/#\d+/, ''))
  for (const line of ['call(fs.readFile) 1="main.mjs"', 'call(fs.statSync) 1="."', 'call(timers.clearTimeout) 1=#Timeout'])
    expect(all).toContain(line)
  expect(all).toContain('done(fs.readFile) 1="main.mjs" returns=#Buffer')
  expect(all.some((line) => line.startsWith('done(fs/promises.stat) 1="nowhere" throws="ENOENT Error ENOENT: no such file'))).toBe(true)
})

test('sockets and HTTP, with calls that Node makes itself', async () => {
  const outcome = await watched(
    `const http = require('http'); const s = http.createServer((q, r) => { r.setHeader('a', 'b'); r.end('hi') }).listen(0, () => http.get({ port: s.address().port, agent: false }, (r) => { r.resume(); r.on('end', () => s.close()) }))`,
    [
      call('ServerResponse', 'end'),
      call('ServerResponse', 'setHeader'),
      call('ServerResponse', 'writeHead'),
      call('Writable+', 'destroy'),
      call('Server', 'close'),
    ],
  )
  const all = calls(outcome).map((line) => line.replace(/#\d+/, ''))
  expect(all).toContain('call(ServerResponse:OutgoingMessage:Stream:EventEmitter.setHeader)=#ServerResponse 1="a"')
  expect(all).toContain('call(ServerResponse:OutgoingMessage:Stream:EventEmitter.writeHead)=#ServerResponse 1=200')
  expect(all).toContain('call(Server:EventEmitter.close)=#Server')
  expect(all.filter((line) => line.startsWith('call(Socket:Duplex:Readable:Writable:Stream:EventEmitter.destroy)')).length).toBeGreaterThan(
    0,
  )
})

test('a replay records calls, too, and accesses where it is asked to', async () => {
  const program = `class P { n = 0; inc() { this.n++ } } const p = new P(); setTimeout(() => p.inc(), 1); setTimeout(() => p.inc(), 5)`
  const without = await watched(program, [call('P', 'inc'), { kind: 'execution', name: 'inc', when: ['before'], args: 0 }], REPLAY)
  expect(calls(without)).toHaveLength(6)
  expect(without.lines().some((line) => line.startsWith('w('))).toBe(false)
  const with_ = await watched(program, [call('P', 'inc')], { ...REPLAY, memory: true })
  expect(calls(with_)).toHaveLength(2)
  expect(with_.lines().some((line) => /^w\(P#\d+\.n\)/.test(line))).toBe(true)
})

test('with no watch nothing is touched', async () => {
  const outcome = await run({
    'main.js': `class A { end() {} } new A().end(); console.log(A.prototype.end.toString(), require('stream').Writable.prototype.end.toString().includes('chunk'))`,
  })
  expect(outcome.stdout).toBe('end() {} true\n')
})
