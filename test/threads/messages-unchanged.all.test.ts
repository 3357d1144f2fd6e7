/** A program whose messages and workers are watched does what it does without, on every Node that is installed. */
import { describe, expect, test } from 'vitest'
import { NODES, run } from './messages-run.ts'

const WT = `const wt = require('worker_threads'); const { Worker, MessageChannel, MessagePort, BroadcastChannel, receiveMessageOnPort, parentPort } = wt; const { once, on } = require('events'); const util = require('util');
const tried = (f) => { try { return f() } catch (e) { return [e.name, e.code, e.message] } };
const text = (code, options) => new Worker(code, { eval: true, ...options });
const later = async (f) => { for (let round = 0; round < 50; round++) await new Promise(setImmediate); f() };
`

const PROGRAMS: Record<string, Record<string, string>> = {
  'shapes of classes and functions': {
    'main.cjs': `${WT}
      for (const name of ['Worker', 'MessageChannel', 'MessagePort', 'BroadcastChannel', 'receiveMessageOnPort', 'moveMessagePortToContext', 'setEnvironmentData', 'getEnvironmentData', 'postMessageToThread']) {
        const it = wt[name]; if (!it) continue
        console.log(name, it.name, it.length, typeof it, JSON.stringify(Object.getOwnPropertyDescriptor(wt, name)))
        if (/^[A-Z]/.test(name)) console.log(util.inspect(it), Reflect.ownKeys(it).map(String).join(), it.prototype.constructor === it, Object.keys(it.prototype).join(), Object.getPrototypeOf(it).name)
      }
      console.log(Object.keys(wt).join())
      for (const name of ['SharedArrayBuffer', 'MessageChannel', 'BroadcastChannel', 'structuredClone', 'MessagePort']) {
        const { get, set, value, ...rest } = Object.getOwnPropertyDescriptor(globalThis, name)
        console.log(name, rest.enumerable, rest.configurable, globalThis[name].name, globalThis[name].length, globalThis[name] === wt[name])
      }
      console.log(MessagePort.prototype.postMessage.name, MessagePort.prototype.postMessage.length, Object.keys(process).includes('emit'), process.emit.name, process.emit.length)
      import('worker_threads').then((m) => console.log(Object.keys(m).filter((k) => m[k] !== wt[k] && k !== 'default'), m.default === wt))
    `,
  },
  'shared buffers': {
    'main.cjs': `${WT}
      const sab = new SharedArrayBuffer(16), grows = new SharedArrayBuffer(8, { maxByteLength: 32 })
      console.log(sab, sab instanceof SharedArrayBuffer, sab.constructor === SharedArrayBuffer, SharedArrayBuffer[Symbol.species] === SharedArrayBuffer, Object.prototype.toString.call(sab))
      grows.grow(20); console.log(grows.byteLength, grows.growable, grows.maxByteLength, sab.slice(4).byteLength, sab.slice(4) instanceof SharedArrayBuffer)
      class Mine extends SharedArrayBuffer { constructor(n) { super(n * 4); this.kind = new.target.name } get words() { return this.byteLength / 4 } }
      const mine = new Mine(3); console.log(mine.words, mine.kind, mine instanceof Mine, mine.slice(4) instanceof Mine, Reflect.ownKeys(mine))
      console.log(tried(() => SharedArrayBuffer(4)), tried(() => new SharedArrayBuffer(-1)), tried(() => new SharedArrayBuffer(8, { maxByteLength: 4 })), Reflect.ownKeys(sab))
      function Other() {} Other.prototype = Object.create(SharedArrayBuffer.prototype); console.log(Reflect.construct(SharedArrayBuffer, [4], Other) instanceof Other)
      const clone = structuredClone({ sab, view: new Uint8Array(sab, 2, 4) }); new Uint8Array(sab)[3] = 7; console.log(clone.view, clone.sab === clone.view.buffer)
      console.log(Buffer.from(sab).length, new DataView(sab).byteLength, util.types.isSharedArrayBuffer(sab), util.types.isSharedArrayBuffer(new (require('vm').runInNewContext('SharedArrayBuffer'))(4)))
      Object.freeze(sab); console.log(Object.isFrozen(sab), new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }).buffer instanceof SharedArrayBuffer)
    `,
  },
  'listeners of ports and what they see': {
    'main.cjs': `${WT}
      const { port1, port2 } = new MessageChannel(); const third = new MessageChannel()
      port1.on('message', function (m) { console.log('on', m, this === port1, arguments.length) })
      port1.once('message', (m) => console.log('once', m))
      port1.addEventListener('message', (e) => console.log('listener', e.data, e.type, e.target === port1, e.ports.length, e.constructor.name, e.origin, e.lastEventId))
      port1.addEventListener('message', { handleEvent(e) { console.log('object', e.data) } }, { once: true })
      port1.onmessage = (e) => console.log('handler', e.data, e.ports[0] instanceof MessagePort)
      console.log(port1.listenerCount('message'), port1.eventNames(), port1, Reflect.ownKeys(port1).map(String).join())
      const circle = { a: [1n, new Date(0), /x/g, new Map([[{ k: 1 }, new Set([2])]]), undefined, null, NaN, -0, [, 1]] }; circle.self = circle
      class Mine { constructor() { this.x = 1 } get y() { return 2 } }
      port2.postMessage(1); port2.postMessage(undefined); port2.postMessage('text'); port2.postMessage(circle); port2.postMessage(new Mine()); port2.postMessage(new RangeError('no'), [])
      port2.postMessage({ port: third.port2 }, { transfer: [third.port2] }); port2.postMessage(null, undefined); port2.postMessage({ value: 1, at: 2, labels: [], ports: 3 })
      port2.postMessage(new Uint8Array([1, 2]).buffer); port2.postMessage(Buffer.from('hi')); port2.postMessage({ __proto__: null, a: 1 })
      console.log(port1.emit('message', 'by hand'))
      later(() => { port1.onmessage = null; port1.removeAllListeners('message'); port2.postMessage('unheard'); later(() => { console.log(receiveMessageOnPort(port1)); port1.on('close', () => console.log('closed')); port2.close() }) })
    `,
  },
  'errors of sending': {
    'main.cjs': `${WT}
      const { port1, port2 } = new MessageChannel(); let asked = 0
      port1.on('message', (m) => console.log('got', m))
      const gone = new ArrayBuffer(4); structuredClone(gone, { transfer: [gone] })
      const marked = {}; wt.markAsUntransferable(marked); const buffer = new ArrayBuffer(3); wt.markAsUntransferable(buffer)
      for (const f of [() => port2.postMessage(), () => port2.postMessage(() => {}), () => port2.postMessage({ a: { f() {} } }), () => port2.postMessage(Symbol('s')), () => port2.postMessage(new Proxy({}, {})), () => port2.postMessage(new WeakMap()),
        () => port2.postMessage(1, [port2]), () => port2.postMessage(1, [1]), () => port2.postMessage(1, 1), () => port2.postMessage(1, { transfer: 1 }), () => port2.postMessage(gone, [gone]), () => port2.postMessage(port1), () => port2.postMessage({ get a() { throw new Error('mine') } }),
        () => port2.postMessage.call({}, 1), () => port2.postMessage.call(undefined, 1), () => MessagePort.prototype.postMessage.call(1, 1), () => port2.postMessage(buffer, [buffer]), () => port2.postMessage(1, [new ArrayBuffer(1), {}]), () => receiveMessageOnPort({}), () => receiveMessageOnPort(), () => new MessagePort(), () => MessageChannel(), () => new BroadcastChannel(),
        () => structuredClone(), () => structuredClone(() => {}), () => new wt.Worker(''), () => new Worker('x'), () => new Worker('./x', null), () => new Worker(1, {}), () => text('1', { workerData: () => {} }), () => text('1', { execArgv: 1 }), () => text('1', { execArgv: ['--no-such-flag'] }), () => text('1', { env: 1 }), () => text('1', { argv: 1 }), () => text('1', { workerData: port1 }),
        () => Worker('1', { eval: true }), () => text('1', { env: { NODE_OPTIONS: '--no-such-flag' } }), () => text('1', { resourceLimits: 3, transferList: 3 })]) console.log(tried(f))
      port2.postMessage({ get a() { return ++asked } }); port2.postMessage({ a: 1 }, { get transfer() { asked++; return [] } })
      port2.postMessage(1, new Set([])); console.log(tried(() => port2.postMessage('it', new Set([new ArrayBuffer(2)]))))
      later(() => { console.log(asked); port2.close() })
    `,
  },
  receiveMessageOnPort: {
    'main.cjs': `${WT}
      const { port1, port2 } = new MessageChannel(), more = new MessageChannel()
      port2.postMessage({ a: 1 }); port2.postMessage(undefined); port2.postMessage([more.port1], [more.port1]); port2.postMessage('x')
      const got = [1, 2, 3, 4, 5].map(() => receiveMessageOnPort(port1)); console.log(got, Object.keys(got[0]))
      got[2].message[0].postMessage('through'); console.log(receiveMessageOnPort(more.port2))
      const a = new BroadcastChannel('n'), b = new BroadcastChannel('n'); a.postMessage('b'); console.log(receiveMessageOnPort(b), receiveMessageOnPort(b)); a.close(); b.close()
      port1.close()
    `,
  },
  'async iterators and promises': {
    'main.mjs': `import { MessageChannel, Worker } from 'node:worker_threads'; import { on, once } from 'node:events'
      const { port1, port2 } = new MessageChannel()
      for (let i = 0; i < 4; i++) port2.postMessage({ i })
      for await (const [e] of on(port1, 'message')) { console.log(e.constructor.name, e.data ?? e); if ((e.data ?? e).i === 3) break }
      port2.postMessage('last'); const [e] = await once(port1, 'message'); console.log(e.data ?? e); port1.close()
      const w = new Worker('require("worker_threads").parentPort.once("message", (m) => { throw new TypeError(m) })', { eval: true })
      await once(w, 'online'); w.postMessage('ouch'); await once(w, 'exit').catch((e) => console.log(e.name, e.message))
    `,
  },
  'broadcast channels': {
    'main.cjs': `${WT}
      const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'), c = new BroadcastChannel('x'), other = new BroadcastChannel('y')
      b.onmessage = (e) => console.log('b', e.data, e.type, e.target === b, e.constructor.name, e.ports); b.addEventListener('message', (e) => console.log('b again', e.data))
      c.onmessage = ({ data }) => { console.log('c', data); if (data === 'end') for (const x of [a, b, c, other]) x.close() }
      other.onmessage = () => console.log('never'); console.log(a.name, util.inspect(a), a instanceof BroadcastChannel, a instanceof EventTarget, a.constructor === BroadcastChannel)
      a.postMessage(1); a.postMessage({ list: [new SharedArrayBuffer(4)] }); console.log(tried(() => a.postMessage()), tried(() => a.postMessage(() => {})), tried(() => BroadcastChannel.prototype.postMessage.call({}, 1)))
      class Mine extends BroadcastChannel { constructor() { super('x') } } const m = new Mine(); console.log(m instanceof Mine, m.name); m.unref().close(); console.log(tried(() => m.postMessage(2)))
      later(() => a.postMessage('end'))
    `,
  },
  // Whether 'online' is heard before the messages or after them is chance, without Heddle, too.
  'events of a worker': {
    'main.cjs': `${WT}
      const seen = []; const w = text('const { parentPort: p } = require("worker_threads"); p.on("message", (m) => { p.postMessage([m, "back"]); if (m === 3) p.close() })')
      console.log(w.listenerCount('exit'), w.listenerCount('online'), w.listenerCount('message'), w.eventNames().map(String), w instanceof Worker, w.constructor === Worker, Object.keys(w).join())
      w.on('online', () => seen.push('online')).on('message', (m) => console.log(m)).on('exit', (code) => console.log('exit', code, w.threadId, w.postMessage('late'), seen))
      process.once('worker', (x) => console.log('made', x === w)); for (const m of [1, 2, 3]) w.postMessage(m)
      console.log(w.hasOwnProperty('emit'), util.inspect(w.performance.eventLoopUtilization()).length > 0)
    `,
  },
  'ends of workers': {
    'main.cjs': `${WT}
      const ends = async (name, w) => { const seen = []; for (const e of ['error', 'exit', 'message']) w.on(e, (x) => seen.push([e, x instanceof Error ? [x.name, x.message, x.code] : x])); await new Promise((r) => w.once('exit', r)); await 0; console.log(name, seen) }
      ;(async () => {
        await ends('exit', text('process.on("exit", (c) => require("worker_threads").parentPort.postMessage(c)); process.exit(3)'))
        await ends('exit in exit', text('process.on("exit", (c) => process.exit(c + 1)); process.exitCode = 4'))
        await ends('throws', text('throw Object.assign(new RangeError("bad"), { code: "X" })'))
        await ends('throws something else', text('throw { a: 1 }'))
        await ends('throws what cannot be sent', text('throw () => {}'))
        await ends('rejects', text('Promise.reject(new Error("no"))'))
        await ends('handles', text('process.on("uncaughtException", (e) => require("worker_threads").parentPort.postMessage(e.message)); setTimeout(() => {}, 5); throw new Error("mine")'))
        await ends('handler throws', text('process.on("uncaughtException", () => { throw new Error("again") }); throw new Error("mine")'))
        await ends('exit listener throws', text('process.on("exit", () => { throw new Error("in exit") })'))
        await ends('syntax', text('let = = 1'))
        await ends('missing', new Worker('./nowhere.js'))
        await ends('too little memory', text('const a = []; for (;;) a.push(new Array(1e4).fill(1))', { resourceLimits: { maxOldGenerationSizeMb: 12 } }))
        const w = text('setInterval(() => {}, 1000); require("worker_threads").parentPort.postMessage("runs")'); const all = ends('terminated', w); w.once('message', async () => console.log('code', await w.terminate(), await w.terminate())); await all
        const busy = text('for (;;);'); busy.once('online', async () => console.log('busy', await busy.terminate()))
      })()
    `,
  },
  'an error nobody listens to': { 'main.cjs': `${WT} text('throw new Error("alone")'); process.on('exit', (c) => console.log('code', c))` },
  'options of workers': {
    'main.cjs': `${WT}
      const report = 'const wt = require("worker_threads"); wt.parentPort.postMessage([process.argv.slice(2), process.execArgv, process.env.MINE, Object.keys(process.env).filter((k) => /HEDDLE|MESSAGES/.test(k)), wt.workerData, wt.resourceLimits.stackSizeMb, process.title.length > 0])'
      const both = async (name, w) => { const [[m]] = await Promise.all([once(w, 'message'), once(w, 'exit')]); console.log(name, m) }
      const ask = async (name, options) => { await both(name, text(report, options)) }
      ;(async () => {
        process.env.MINE = 'shared'; process.execArgv.push('--changed')
        await ask('none'); await ask('argv', { argv: ['a', 2] }); await ask('execArgv', { execArgv: ['--no-warnings', '--trace-warnings'] }); await ask('no execArgv', { execArgv: [] }); await ask('null', { execArgv: null, env: null })
        await ask('env', { env: { MINE: 1 } }); await ask('env and execArgv', { env: {}, execArgv: ['--no-warnings'] }); await ask('SHARE_ENV', { env: wt.SHARE_ENV }); await ask('limits', { resourceLimits: { stackSizeMb: 2 } })
        await ask('data', { workerData: { a: [1, { b: new Map([[1, 2]]) }] }, name: 'called' }); await ask('options of a class', Object.assign(Object.create({ workerData: 'inherited' }), { argv: ['x'] }))
        let n = 0; const options = { eval: true, get workerData() { return ++n }, get execArgv() { return [] } }; await both(Object.keys(options), new Worker(report, options)); console.log(n)
        const { port1, port2 } = new MessageChannel(); const p = text('const { workerData: d } = require("worker_threads"); d.port.postMessage(d.x); d.port.close()', { workerData: { port: port1, x: 5 }, transferList: [port1] }); const [[e]] = await Promise.all([once(port2, 'message'), once(p, 'exit')]); console.log(e.data ?? e)
        const io = text('process.stdin.on("data", (d) => { console.log("out " + d); console.error("err") }); process.stdin.on("end", () => process.exit())', { stdin: true, stdout: true, stderr: true }); io.stdin.end('in'); let out = ''; io.stdout.on('data', (d) => (out += d)); io.stderr.on('data', (d) => (out += d)); await once(io, 'exit'); console.log(out.split('\\n').sort())
        const piped = text('console.log("to stdout of main")'); await once(piped, 'exit')
        const data = new Worker(new URL('data:text/javascript,import { parentPort, workerData } from "node:worker_threads"; parentPort.postMessage(workerData)'), { workerData: 'by url' }); console.log((await once(data, 'message'))[0])
      })()
    `,
  },
  'files as workers, workers of workers': {
    'main.mjs': `import { Worker, isMainThread, workerData, threadId } from 'node:worker_threads'; import { once } from 'node:events'
      const up = async (file, options) => { const w = new Worker(new URL(file, import.meta.url), options); const [[m]] = await Promise.all([once(w, 'message'), once(w, 'exit')]); return m }
      console.log(await up('a.cjs', { workerData: 3 }), await up('b.mjs', { workerData: 3 }), await up('a.cjs', { workerData: 2, execArgv: [], env: {} }))
      class Pool extends Worker { constructor(...a) { super(...a); this.n = 0 } emit(event, ...rest) { if (event === 'message') this.n++; return super.emit(event, ...rest) } postMessage(m) { super.postMessage([m]) } }
      const p = new Pool(new URL('echo.cjs', import.meta.url)); p.postMessage('x'); console.log(await once(p, 'message'), p.n, p instanceof Worker, p instanceof Pool); await p.terminate()`,
    'a.cjs': `const { Worker, parentPort, workerData, threadId } = require('worker_threads'); if (workerData === 0) { parentPort.postMessage(['leaf', require.main === module, __filename, process.argv.length, process.execArgv]) } else new Worker(__filename, { workerData: workerData - 1 }).on('message', (m) => parentPort.postMessage([workerData, ...m]))`,
    'b.mjs': `import { Worker, parentPort, workerData } from 'node:worker_threads'; if (workerData === 0) parentPort.postMessage(['leaf']); else { const w = new Worker(new URL(import.meta.url), { workerData: workerData - 1 }); w.on('message', (m) => parentPort.postMessage([workerData, ...m])) }`,
    'echo.cjs': `const { parentPort } = require('worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))`,
  },
  'what is transferred': {
    'main.cjs': `${WT}
      const w = text('const { parentPort: p } = require("worker_threads"); p.on("message", async (m) => { if (m.stream) { let all = ""; for await (const c of m.stream) all += c; p.postMessage(all) } else if (m.handle) { p.postMessage((await m.handle.readFile("utf8")).length > 10); await m.handle.close() } else if (m.port) { m.port.on("message", (x) => { m.port.postMessage([x, "again"]); if (x === 2) m.port.close() }) } else if (m.end) p.close(); else p.postMessage([m.buffer.byteLength, m.view?.length]) })')
      ;(async () => {
        const answer = async (value, list) => { w.postMessage(value, list); return (await once(w, 'message'))[0] }
        const buffer = new ArrayBuffer(100); console.log(await answer({ buffer, view: new Uint8Array(buffer, 3) }, [buffer]), buffer.byteLength)
        const stream = new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue('b'); c.close() } }); console.log(await answer({ stream }, [stream]))
        const handle = await require('fs').promises.open(__filename); console.log(await answer({ handle }, [handle]))
        const { port1, port2 } = new MessageChannel(); w.postMessage({ port: port1 }, { transfer: [port1] }); port2.postMessage(1); console.log((await once(port2, 'message'))[0]); port2.postMessage(2); console.log((await once(port2, 'message'))[0])
        const k = require('crypto').createSecretKey(Buffer.from('key')); const c = new MessageChannel(); c.port1.postMessage({ k, blob: new Blob(['hello']) }); const got = receiveMessageOnPort(c.port2).message; console.log(got.k.export().toString(), await got.blob.text()); c.port1.close()
        const d = new MessageChannel(); const moved = structuredClone({ p: d.port1 }, { transfer: [d.port1] }).p; moved.postMessage('cloned'); console.log(receiveMessageOnPort(d.port2)); d.port2.close()
        w.postMessage({ end: true }); await once(w, 'exit')
      })()
    `,
  },
  'other contexts, and what cannot be received': {
    'main.cjs': `${WT} const vm = require('vm')
      const { port1, port2 } = new MessageChannel(); const context = vm.createContext({ console, seen: [] })
      const moved = wt.moveMessagePortToContext(port2, context); context.port = moved; console.log(moved instanceof MessagePort, moved instanceof Object)
      vm.runInContext('port.onmessage = (e) => { seen.push(["message", e.data.a ?? e.data, e.type, e.target === port, e.ports.length, e.constructor.name, e.data instanceof Object]); port.postMessage({ back: 1 }) }; port.onmessageerror = (e) => seen.push(["error", e.data.code, e.type]); port.start()', context)
      port1.on('message', (m) => console.log('back', m)); port1.postMessage({ a: 1 }); port1.postMessage('b'); port1.postMessage(new (require('net').BlockList)())
      const inherits = new MessageChannel(); const other = wt.moveMessagePortToContext(inherits.port2, context); inherits.port1.postMessage({ x: 1 }); console.log(receiveMessageOnPort(other))
      later(() => { console.log(context.seen); port1.close(); inherits.port1.close() })
    `,
  },
  'messages to threads by number': {
    'main.cjs': `${WT}
      if (!wt.postMessageToThread) console.log('none'); else (async () => {
        const code = 'const wt = require("worker_threads"); process.on("workerMessage", async (m, from) => { if (m.end) { process.removeAllListeners("workerMessage"); wt.parentPort.close() } else if (m.port) m.port.postMessage([m.x, from]), m.port.close(); else if (m.to) await wt.postMessageToThread(m.to, { ...m, to: 0, via: wt.threadId }); else await wt.postMessageToThread(0, [m, from]) }); wt.parentPort.on("message", () => {}); wt.parentPort.postMessage("ready")'
        const a = text(code), b = text(code); await Promise.all([once(a, 'message'), once(b, 'message')])
        const ask = async (id, m, ...rest) => { const heard = once(process, 'workerMessage'); await wt.postMessageToThread(id, m, ...rest); return heard }
        console.log(await ask(a.threadId, { x: 1 }), await ask(a.threadId, { to: b.threadId, list: [new Int32Array(new SharedArrayBuffer(4))] }, 5000))
        const { port1, port2 } = new MessageChannel(); const heard = once(port1, 'message'); await wt.postMessageToThread(a.threadId, { port: port2, x: 'through a port' }, [port2]); console.log((await heard)[0])
        for (const f of [() => wt.postMessageToThread(0, 1), () => wt.postMessageToThread(999, 1), () => wt.postMessageToThread(a.threadId, () => {}), () => wt.postMessageToThread(a.threadId, 1, [], 'x')]) await f().catch((e) => console.log(e.name, e.code, e.message))
        await wt.postMessageToThread(a.threadId, { end: 1 }); await wt.postMessageToThread(b.threadId, { end: 1 })
      })()
    `,
  },
  'environment data': {
    'main.cjs': `${WT}
      const sab = new SharedArrayBuffer(4), key = { k: 1 }
      wt.setEnvironmentData('a', { sab }); wt.setEnvironmentData('b', 2); wt.setEnvironmentData('b', undefined); wt.setEnvironmentData(3, [4]); wt.setEnvironmentData(key, 'by object'); console.log(wt.getEnvironmentData(key), wt.getEnvironmentData('b'))
      const code = 'const wt = require("worker_threads"); wt.parentPort.postMessage([wt.getEnvironmentData("a"), wt.getEnvironmentData("b"), wt.getEnvironmentData(3), wt.getEnvironmentData({ k: 1 })]); if (wt.workerData) { wt.setEnvironmentData(3, 5); new wt.Worker(wt.workerData, { eval: true, workerData: "" }).on("message", (m) => wt.parentPort.postMessage(m)) }'
      text(code, { workerData: code }).on('message', (m) => console.log(m))
    `,
  },
  'ports for a loader': {
    'main.mjs': `import { register } from 'node:module'; import { MessageChannel } from 'node:worker_threads'
      const { port1, port2 } = new MessageChannel(); const answer = new Promise((go) => port1.once('message', go))
      register('./hooks.mjs', { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] })
      port1.postMessage({ ask: [1] }); console.log(await answer); port1.close()`,
    'hooks.mjs': `export function initialize({ port }) { port.on('message', (m) => { port.postMessage(['loader got', m]); port.close() }) }`,
  },
  'diagnostics and many messages in order': {
    'main.cjs': `${WT}
      require('diagnostics_channel').subscribe('worker_threads', ({ worker }) => worker.postMessage('first'))
      const w = text('const { parentPort: p } = require("worker_threads"); const got = []; p.on("message", (m) => { got.push(m); if (m === 999) { p.postMessage(got); p.close() } })')
      for (let i = 0; i < 1000; i++) w.postMessage(i); w.on('message', (got) => console.log(got.length, got[0], got.slice(1).every((m, i) => m === i)))
    `,
  },
}

describe.each(NODES)('%s', (_name, node) => {
  test.each(Object.keys(PROGRAMS))('%s', async (name) => {
    const plain = await run(node, PROGRAMS[name]!, false)
    const watched = await run(node, PROGRAMS[name]!, true)
    const visible = ({ stdout, stderr, code }: typeof plain): unknown => ({ stdout: stdout.split('\n'), stderr, code })
    expect(visible(watched)).toEqual(visible(plain))
    expect(plain.stdout).not.toBe('')
  })
})
