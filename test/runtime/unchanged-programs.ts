/** Programs that show whether anybody can tell that they are recorded, and what is compared. */
import type { Outcome } from './program.ts'

export const visible = ({ directory, stdout, stderr, code, signal }: Outcome) => ({
  stdout,
  // Warnings name the process, stacks name Heddle's frames and other columns.
  stderr: stderr
    .replaceAll(directory, '')
    .replace(/\(node:\d+\)/g, '')
    .split('\n')
    .filter((line) => !/^\s+at /.test(line)),
  code,
  signal,
})

export const PROGRAMS: Record<string, Record<string, string>> = {
  'exit code': { 'main.js': `process.exitCode = 7` },
  'process.exit in a handler': {
    'main.js': `process.on('exit', (c) => { console.log('bye', c); process.exit(9) }); setTimeout(() => process.exit(3), 1)`,
  },
  'a code chosen in the exit handler': { 'main.js': `process.on('exit', () => { process.exitCode = 5 })` },
  'a rejection nobody handles': { 'main.js': `Promise.reject(new Error('no'))` },
  'a handled exception': {
    'main.js': `process.on('uncaughtException', (e) => console.log('got', e.message)); setTimeout(() => { throw new Error('x') }, 1); setTimeout(() => console.log('on'), 5)`,
  },
  'a handled rejection': {
    'main.js': `process.on('unhandledRejection', (e) => console.log('got', e.message)); Promise.reject(new Error('x'))`,
  },
  'a syntax error': { 'main.js': `let a = ;` },
  'a syntax error in a module': { 'main.mjs': `import './other.mjs'`, 'other.mjs': `let a = = 1` },
  'a missing module': { 'main.js': `require('./nowhere.js')` },
  'a missing main file': { './missing/../gone.js': '' },
  'death by a signal': { 'main.js': `setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1); setTimeout(() => {}, 10000)` },
  'a signal handler': {
    'main.js': `process.on('SIGTERM', () => { console.log('term'); process.exit(4) }); setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1); setTimeout(() => {}, 10000)`,
  },
  'listeners can be counted': {
    'main.js': `console.log(['SIGINT', 'SIGTERM', 'uncaughtException', 'uncaughtExceptionMonitor', 'newListener'].map((e) => process.listenerCount(e)))`,
  },
  'mixed modules': {
    'main.mjs': `import a from './a.cjs'; import { b } from './b.mjs'; console.log(a, b, (await import('./c.mjs')).default)`,
    'a.cjs': `module.exports = require('./d.cjs') + 1`,
    'b.mjs': `export let b = 1; setTimeout(() => b++, 1)`,
    'c.mjs': `export default new URL(import.meta.url).pathname.split('/').pop()`,
    'd.cjs': `exports = module.exports = 41`,
  },
  'shapes of fs': {
    'main.js': `const fs = require('fs'), util = require('util'); console.log(fs.readFile.name, fs.readFile.length, fs.mkdir.length, typeof fs.realpath.native, typeof fs.realpathSync.native, Object.keys(fs).length); util.promisify(fs.exists)(__filename).then(console.log); util.promisify(fs.read)(fs.openSync(__filename), Buffer.alloc(3), 0, 3, 0).then((r) => console.log(r.bytesRead, Object.keys(r))); try { fs.mkdir('x') } catch (e) { console.log(e.code) } try { fs.readFile({}, () => {}) } catch (e) { console.log(e.code) }`,
  },
  'replaced functions of fs': {
    'main.js': `const fs = require('fs'); const stat = fs.stat; let n = 0; fs.stat = (...a) => { n++; return stat(...a) }; fs.stat('.', () => console.log(n)); import('node:fs').then((m) => console.log(m.default === fs))`,
  },
  'streams and pipes': {
    'main.js': `const fs = require('fs'); const { pipeline } = require('stream'); pipeline(fs.createReadStream(__filename), require('zlib').createGzip(), require('zlib').createGunzip(), fs.createWriteStream('copy'), (e) => console.log(e, fs.readFileSync('copy', 'utf8') === fs.readFileSync(__filename, 'utf8')))`,
  },
  'async local storage': {
    'main.js': `const { AsyncLocalStorage } = require('async_hooks'); const fs = require('fs'); const s = new AsyncLocalStorage(); for (const n of [1, 2]) s.run(n, async () => { fs.stat('.', () => console.log('callback', s.getStore())); await fs.promises.readFile(__filename); console.log('promise', s.getStore()); setTimeout(() => console.log('timer', s.getStore()), 30) })`,
  },
  'an http server': {
    'main.js': `const http = require('http'); const s = http.createServer((q, r) => { q.resume(); q.on('end', () => r.end(q.url)) }); s.listen(0, async () => { const all = await Promise.all([1, 2, 3].map((i) => fetch('http://127.0.0.1:' + s.address().port + '/' + i).then((r) => r.text()))); console.log(all); s.close(() => console.log('closed')); s.closeAllConnections() })`,
  },
  children: {
    'main.js': `const { fork, execFile } = require('child_process'); if (process.argv[2]) { process.send([process.execArgv.filter((flag) => flag.includes('heddle')), Symbol.for('heddle') in globalThis]) } else { fork(__filename, ['child']).on('message', (m) => console.log(JSON.stringify(m))).on('exit', (c) => execFile(process.execPath, ['-p', '1+1'], (e, out) => console.log(c, out))) }`,
  },
  'a worker': {
    'main.js': `const { Worker, isMainThread, parentPort } = require('worker_threads'); if (isMainThread) new Worker(__filename).on('message', (m) => console.log(m)).on('exit', (c) => console.log('exit', c)); else parentPort.postMessage(Object.keys(globalThis))`,
  },
  'message ports': {
    'main.js': `const { MessageChannel } = require('worker_threads'); const { port1, port2 } = new MessageChannel(); port1.on('message', (m) => { console.log(m); port1.close() }); port2.postMessage('hi')`,
  },
  'file handles': {
    'main.mjs': `import { open } from 'node:fs/promises'; const f = await open(new URL(import.meta.url)); for await (const line of f.readLines()) console.log(line.length); try { await (await open('nowhere')).read() } catch (e) { console.log(e.code) }`,
  },
  'order of ticks': {
    'main.js': `const fs = require('fs'); fs.stat('.', () => { process.nextTick(() => console.log('tick')); Promise.resolve().then(() => console.log('micro')); setImmediate(() => console.log('immediate')); setTimeout(() => console.log('timer'), 0); console.log('sync') }); fs.exists(undefined, (y) => console.log('at once', y)); console.log('end of main')`,
  },
}

/** Programs that have two requests under way at once: their lines come in any order, recorded or not. */
export const ANY_ORDER = new Set(['shapes of fs', 'replaced functions of fs', 'async local storage'])
