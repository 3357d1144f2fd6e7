/** Programs whose calls are recorded do what they do without. */
import { expect, test } from 'vitest'
import { ALL } from '../layer.ts'
import { run, type Outcome } from '../runtime/program.ts'
import { REPLAY } from './nothing-held.ts'
import { LIBRARY } from './watch-list.ts'

const visible = ({ directory, stdout, stderr, code, signal }: Outcome) => ({
  stdout,
  stderr: stderr
    .replaceAll(directory, '')
    .replace(/\(node:\d+\)/g, '')
    // The line of the source is that of the instrumented one.
    .replace(/^(\S*main\.js:\d+)\n.*\n *\^+\n/m, '$1\n')
    .split('\n')
    .filter((line) => !/^\s+at /.test(line)),
  code,
  signal,
})

const PROGRAMS: Record<string, string> = {
  'a rejection of a watched call that nobody handles': `class A { async close() { throw new Error('no') } }\nnew A().close()\n`,
  'a rejection that is handled late': `class A { async close() { throw new Error('no') } }\nconst p = new A().close(); process.on('unhandledRejection', (e, q) => console.log('unhandled', q === p)); process.on('rejectionHandled', (q) => console.log('handled', q === p)); setTimeout(() => p.catch(() => console.log('caught')), 5)`,
  'a rejection whose then has no handler': `class A { async close() { throw new Error('no') } }\nnew A().close().then(() => console.log('never'))\n`,
  'order of microtasks': `class A { async close(x) { await null; return x } } const a = new A(); a.close(1).then(console.log); Promise.resolve().then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4)); a.close(5).finally(() => console.log(6)); process.nextTick(() => console.log('tick')); (async () => { console.log(await a.close(7)) })()`,
  'an error that a watched call throws': `class A { end() { try { null.x } finally { console.log('on the way') } } }\nsetTimeout(() => { try { new A().end() } catch (e) { console.log(e instanceof TypeError, e.message) } }, 1)`,
  generators: `class A { *read(n) { for (let i = 0; i < n; i++) yield i } async *next() { yield 1; yield 2 } [Symbol.iterator]() { return this.read(2) } } const a = new A(); console.log([...a.read(3)], [...a], a.read.constructor.name, a.next.constructor.name); (async () => { for await (const x of a.next()) console.log(x) })(); const it = [1, 2][Symbol.iterator](); console.log(it.next(), it.next(), it.next()); const g = a.read(2); g.next(); console.log(g.return(5), g.next())`,
  'what a method looks like': `class A { end(a, b = 1) {} async close(x) {} static get() {} } A.prototype.end.own = 5; const a = new A(); a.end(); a.close(); A.get(); console.log(A.prototype.end.name, A.prototype.end.length, A.prototype.end.own, 'prototype' in A.prototype.end, A.prototype.close.constructor.name, Object.keys(A.prototype), a.end === A.prototype.end, Object.getOwnPropertyNames(A.prototype), JSON.stringify(Object.getOwnPropertyDescriptor(A.prototype, 'end')))`,
  constructors: `const lib = { get: function Get(x) { this.x = x }, set: class Set2 { constructor(y) { this.y = y } } }; lib.get.call({}, 1); try { lib.get(1) } catch (e) { console.log(e.message) } const a = new lib.get(2); console.log(a instanceof lib.get, a.x, a.constructor.name, new lib.set(3).y, Object.getPrototypeOf(a) === lib.get.prototype); class D extends lib.get {} console.log(new D(4).x, new D(4) instanceof lib.get); try { lib.set(1) } catch (e) { console.log(e.name) }`,
  'methods replaced by the program': `class A { end() { return 1 } } const a = new A(); console.log(a.end()); const before = A.prototype.end; A.prototype.end = function () { return before.call(this) + 1 }; console.log(a.end()); a.end = () => 9; console.log(a.end(), delete a.end, a.end())`,
  'frozen and sealed': `'use strict'; class A { end() { return 1 } } Object.freeze(A.prototype); const o = Object.freeze({ close() { return this === o } }); const s = Object.seal({ open() { return 3 } }); console.log(new A().end(), o.close(), s.open(), Object.isFrozen(o), Object.isSealed(s))`,
  getters: `let n = 0; class A { get end() { n++; return () => n } set close(v) {} } const a = new A(); console.log(a.end(), a.end(), n); try { a.close() } catch (e) { console.log(e.name) }`,
  proxies: `const log = []; const p = new Proxy({ end() { return this === p } }, { get(t, k, r) { log.push('get ' + String(k)); return Reflect.get(t, k, r) }, has() { log.push('has') ; return true }, getPrototypeOf() { log.push('proto'); return null }, getOwnPropertyDescriptor() { log.push('own'); return undefined }, defineProperty() { log.push('define'); return true } }); console.log(p.end(), log); class B { constructor() { return new Proxy(this, {}) } close() { return 5 } } console.log(new B().close()); const f = new Proxy(function () { return 7 }, {}); console.log({ end: f }.end())`,
  'private methods and super': `class A { end(x) { return 'A' + x } #close() { return 1 } close() { return this.#close() } } class B extends A { end(x) { return 'B' + super.end(x) } get(x) { return super['end'](x) } } const b = new B(); console.log(b.end(1), b.get(2), b.close())`,
  'optional calls': `const a = { b: { end: () => 1 } }, n = null; console.log(a?.b.end(), n?.end(), n?.b.end(), a.c?.end(), a.b.end?.(), a.b.close?.(), a?.b?.end?.().toFixed(1)); const get = undefined; console.log(get?.(1))`,
  'tagged templates and computed names': `const a = { end: (s, ...v) => (s.raw ?? s).join('|') + v }, k = 'end'; console.log(a.end\`x\${1}y\`, a[k](['z']))`,
  listeners: `const E = require('events'); const e = new E(); const f = () => console.log('f'); e.on('x', f); e.once('x', f); console.log(e.listenerCount('x'), e.listeners('x')[0] === f); e.emit('x'); e.off('x', f); console.log(e.listenerCount('x'), e.emit('x')); const t = new EventTarget(); t.addEventListener('y', f); t.removeEventListener('y', f); t.dispatchEvent(new Event('y'))`,
  callbacks: `class A { read(n, cb) { cb.call(this, null, n, cb.name, cb.length) } open(K) { return new K() } } const a = new A(); a.read(1, function (e, n, name, length) { console.log(this === a, n, name, length, arguments.length) }); a.read(2, (e, n) => console.log(n)); class K {} console.log(a.open(K) instanceof K); function F() { this.x = 1 } console.log(a.open(F) instanceof F, a.open(F).x)`,
  'subclasses of promises': `let made = 0; class P extends Promise { constructor(f) { super(f); made++ } } class A { get() { return P.resolve(4) } } (async () => { const before = made; console.log(await new A().get(), made - before) ; new A().get().then((x) => console.log(x, made)) })()`,
  thenables: `class A { query() { return { then(ok) { console.log('then'); ok(3) } } } } (async () => console.log(await new A().query()))()`,
  collections: `const m = new Map(), s = new Set(), w = new WeakMap(), k = {}; m.set('a', 1).set('b', 2); s.add(1).add(2); w.set(k, 3); console.log(m.get('a'), [...m.keys()], s.has(2), w.get(k), w.has({}), m.delete('a'), s.delete(9), m.size); class M extends Map { get(x) { return super.get(x) ?? 'none' } } console.log(new M().get(1)); m.clear(); console.log(m.size, [3, 1].concat(2).sort().map((x) => x * 2)); try { Map.prototype.get.call({}, 1) } catch (e) { console.log(e.name) } [1].push(2)`,
  timers: `const t = setTimeout(() => console.log('never'), 20); clearTimeout(t); const i = setInterval(() => { console.log('once'); clearInterval(i) }, 1); console.log(setTimeout === require('timers').setTimeout, t.constructor.name, require('util').promisify(setTimeout) === require('timers/promises').setTimeout); require('timers/promises').setTimeout(2, 'v').then(console.log)`,
  'a net server': `const net = require('net'); const s = net.createServer((c) => { c.on('data', (d) => c.end('echo ' + d)) }); s.listen(0, () => { const c = net.connect(s.address().port, () => c.write('x', () => console.log('written'))); c.on('data', (d) => console.log(String(d))); c.on('close', (e) => { console.log('closed', e); s.close() }) })`,
  'an error event nobody hears': `const s = new (require('stream').Writable)({ write(c, e, cb) { cb() } })\ns.end(); s.write('late')`,
  'headers sent twice': `const http = require('http'); const s = http.createServer((q, r) => { r.end('x'); try { r.setHeader('a', 'b') } catch (e) { console.log(e.code) } r.end(); s.close(); s.closeAllConnections() }).listen(0, () => http.get({ port: s.address().port }).on('error', () => {}).on('response', (r) => r.resume()))`,
  'a pool like that of pg': `const E = require('events'); class Client extends E { query(q, cb) { if (typeof cb === 'function') { setImmediate(() => cb(null, { q })); return } return new Promise((ok, no) => setImmediate(() => (q === 'bad' ? no(new Error('syntax')) : ok({ q })))) } end() { this.emit('end') } } class Pool extends E { idle = []; connect(cb) { const c = this.idle.pop() ?? new Client(); c.release = () => this.idle.push(c); if (cb) return void setImmediate(() => cb(null, c, c.release)); return Promise.resolve(c) } async query(q) { const c = await this.connect(); try { return await c.query(q) } finally { c.release() } } async end() { for (const c of this.idle) c.end() } } const p = new Pool(); (async () => { console.log(await Promise.all([p.query('a'), p.query('b')]), p.idle.length); await p.query('bad').catch((e) => console.log(e.message)); p.connect((e, c, done) => { c.query('c', (e, r) => { console.log(r); done(); p.end().then(() => console.log('ended')) }) }) })()`,
  'fs in all its forms': `const fs = require('fs'); (async () => { const h = await fs.promises.open('x', 'w+'); await h.write('abc'); await h.close(); fs.readFile('x', 'utf8', (e, t) => { console.log(t); const fd = fs.openSync('x'); fs.closeSync(fd); fs.close(fd, (e) => console.log(e.code)); try { fs.closeSync(-1) } catch (e) { console.log(e.code) } fs.createReadStream('x').on('data', (d) => console.log(d.length)).on('close', () => console.log('close')) }) })()`,
  abort: `const c = new AbortController(); c.signal.addEventListener('abort', () => console.log(c.signal.reason.name)); c.abort(); fetch('http://127.0.0.1:9', { signal: c.signal }).catch((e) => console.log(e.name))`,
}

test.each(Object.entries(PROGRAMS))('%s', async (_name, text) => {
  const files = { 'main.js': text }
  const plain = visible(await run(files, { plain: true }))
  expect(visible(await run(files, { config: { watch: LIBRARY } }))).toEqual(plain)
})

/** Instrumented for nothing but calls. */
test.runIf(ALL).each(Object.entries(PROGRAMS))('%s, replayed', async (_name, text) => {
  const files = { 'main.js': text }
  const plain = visible(await run(files, { config: REPLAY }))
  expect(visible(await run(files, { config: { ...REPLAY, watch: LIBRARY } }))).toEqual(plain)
})
