/** What is recorded of messages and workers, and that shared buffers are known again in other threads. */
import { describe, expect, test } from 'vitest'
import { NODES, run } from './messages-run.ts'

const HEAD = `const { Worker, MessageChannel, BroadcastChannel, receiveMessageOnPort, parentPort, workerData, setEnvironmentData, getEnvironmentData } = require('worker_threads'); const { once } = require('events');
const text = (code, options) => new Worker(HEAD + code, { eval: true, ...options });
`
const program = (code: string): Record<string, string> => ({
  'main.cjs': `const HEAD = ${JSON.stringify(`const HEAD = ''; ${HEAD}`)};\n${HEAD}${code}`,
})

/** Events of one thread, or all of them; in the order of their stamps. */
const of = (lines: readonly string[], task?: string): string[] => lines.filter((line) => task === undefined || line.startsWith(`${task} `))

describe.each(NODES)('%s', (_name, node) => {
  const recorded = async (code: string): Promise<Awaited<ReturnType<typeof run>>> => {
    const ran = await run(node, program(code), true)
    expect(ran.stderr).toBe('')
    return ran
  }

  test('a worker that answers: both messages are recorded', async () => {
    const { lines } = await recorded(
      `const w = text('parentPort.on("message", (m) => { parentPort.postMessage(m); parentPort.close() })'); w.on('online', () => w.postMessage(1)).on('message', () => {}).on('exit', () => {})`,
    )
    expect(lines).toEqual([
      'main fork(worker 1)',
      'worker 1 begin()',
      'main notify(message main:1)',
      'worker 1 wake(message main:1)',
      'worker 1 notify(message worker 1:1)',
      ...(lines.indexOf('worker 1 end()') < lines.indexOf('main wake(message worker 1:1)')
        ? ['worker 1 end()', 'main wake(message worker 1:1)']
        : ['main wake(message worker 1:1)', 'worker 1 end()']),
      'main join(worker 1)',
    ])
  })

  test('what nobody listens to is no step', async () => {
    const { lines } = await recorded(
      `const w = text('parentPort.postMessage(1)'); const { port1, port2 } = new MessageChannel(); port1.start(); port2.postMessage(2); const b = new BroadcastChannel('b'), c = new BroadcastChannel('b'); b.postMessage(3); setTimeout(() => { for (const x of [port1, b, c]) x.close() }, 100)`,
    )
    expect(of(lines, 'main')).toEqual(['main fork(worker 1)', 'main notify(message main:1)', 'main notifyAll(message main:2)'])
    expect(of(lines, 'worker 1').at(-1)).toBe('worker 1 end()')
  })

  test('messages that could not be sent are no steps', async () => {
    const { lines } = await recorded(
      `const { port1, port2 } = new MessageChannel(); for (const x of [() => {}, Symbol()]) try { port1.postMessage(x) } catch {} port1.postMessage(1); receiveMessageOnPort(port2); receiveMessageOnPort(port2); port1.close()
      try { text('', { workerData: () => {} }) } catch {} text('')`,
    )
    expect(of(lines, 'main')).toEqual(['main notify(message main:3)', 'main wake(message main:3)', 'main fork(worker 1)'])
  })

  test('a broadcast is recorded with all that receive it', async () => {
    const { lines } = await recorded(
      `const a = new BroadcastChannel('b'), b = new BroadcastChannel('b'), c = new BroadcastChannel('b'); let n = 0; b.onmessage = c.onmessage = () => { if (++n === 3) { a.close(); b.close(); c.close() } }
      const w = text('const b = new BroadcastChannel("b"); b.onmessage = () => { b.close() }; parentPort.postMessage(0)'); w.on('message', () => { a.postMessage(1); w.on('exit', () => setTimeout(() => { a.close(); b.close(); c.close() }, 50)) })`,
    )
    expect(lines.filter((line) => line.includes('main:1')).toSorted()).toEqual([
      'main notifyAll(message main:1)',
      'main wake(message main:1)',
      'main wake(message main:1)',
      'worker 1 wake(message main:1)',
    ])
  })

  test('workers of workers have names of their own, and each end is heard once', async () => {
    const { lines } = await recorded(
      `const code = 'const inner = [1, 2].map(() => new Worker("process.exit(1)", { eval: true })); inner.map((w) => w.on("exit", () => {})); inner[0].on("exit", () => inner[1].on("exit", () => { throw new Error("x") }))'
      const w = text('const a = new Worker("1", { eval: true }); a.on("exit", () => { new Worker("throw 1", { eval: true }).on("error", () => {}).on("exit", () => {}) })'); w.on('exit', () => {})`,
    )
    expect(of(lines, 'worker 1')).toEqual([
      'worker 1 begin()',
      'worker 1 fork(worker 1.1)',
      'worker 1 join(worker 1.1)',
      'worker 1 fork(worker 1.2)',
      'worker 1 join(worker 1.2)',
      'worker 1 end()',
    ])
    expect(lines.at(-1)).toBe('main join(worker 1)')
  })

  test('every way a worker ends is before it is heard of', async () => {
    const { lines } = await recorded(
      `(async () => { for (const code of ['process.exit(2)', 'throw new Error("x")', 'process.on("exit", () => process.exit(1))', 'process.on("uncaughtException", () => { throw 1 }); throw 2', 'process.on("exit", () => { throw 1 })', 'Promise.reject(1)'])
        await new Promise((go) => text(code).on('error', () => {}).on('exit', go)) })()`,
    )
    for (let n = 1; n <= 6; n++) {
      const about = lines.filter((line) => line === `worker ${n} end()` || line === `main join(worker ${n})`)
      expect(about).toEqual([`worker ${n} end()`, `main join(worker ${n})`])
    }
  })

  test('a terminated worker has no end, and what it showed is before that is heard of', async () => {
    const { lines } = await recorded(`const w = text('setInterval(() => {}, 1000)'); w.once('online', async () => { await w.terminate() })`)
    expect(lines).toEqual(['main fork(worker 1)', 'main join(worker 1)'])
  })

  test('shared buffers are known again, whichever way they came', async () => {
    const { stdout, lines } = await recorded(
      `const a = new SharedArrayBuffer(4), b = new SharedArrayBuffer(8), c = b.slice(4), memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer
      class Box { constructor(x) { this.x = x } }
      setEnvironmentData('e', new Map([[{ k: b }, new Set([a])]]))
      const labels = 'const labels = (...all) => all.map((x) => labelOf(x?.buffer ?? x)); '
      const w = text(labels + 'const e = [...getEnvironmentData("e")][0]; parentPort.postMessage({ mine: new SharedArrayBuffer(1), text: [...labels(workerData.list[0], workerData.view, workerData.box.x, e[0].k, [...e[1]][0])] }); parentPort.on("message", (m) => { parentPort.postMessage({ text: labels(m.mine, m.same, m.error.cause, m.view, m.memory), mine: m.mine, far: m.far }); parentPort.close() })', { workerData: { list: [a], view: new DataView(b), box: new Box(c) } })
      w.once('message', (m) => { console.log(m.text.join(' '), labelOf(m.mine), labelOf(structuredClone([m.mine])[0]))
        const far = {}; let at = far; for (let i = 0; i < 500; i++) at = at.next = {}; at.end = c
        w.postMessage({ mine: m.mine, same: m.mine, error: new Error('e', { cause: a }), view: new Uint8Array(b, 1), memory, far })
        w.once('message', ({ text, mine, far }) => { while (far.next) far = far.next; console.log(text.join(' '), labelOf(mine), labelOf(far.end)) }) })`,
    )
    const [first, second] = stdout.trim().split('\n')
    expect(first).toBe('main#1 main#2 main#3 main#2 main#1 worker 1#1 worker 1#1')
    expect(second).toBe('worker 1#1 worker 1#1 main#1 main#2  worker 1#1 main#3')
    expect(lines.filter((line) => line.startsWith('note'))).toEqual([expect.stringContaining('WebAssembly')])
  })

  test('buffers behind getters and in too many objects are left alone, with a note', async () => {
    const { stdout, lines } = await recorded(
      `const a = new SharedArrayBuffer(4), { port1, port2 } = new MessageChannel(); const got = (m) => { port1.postMessage(m); return receiveMessageOnPort(port2).message }
      let asked = 0; const one = got({ get hidden() { asked++; return a }, seen: a, other: new SharedArrayBuffer(4) }); console.log(asked, labelOf(one.seen), labelOf(one.hidden)); const two = got({ get hidden() { return a } }); console.log(labelOf(two.hidden))
      const many = Array.from({ length: 20000 }, () => ({})); many.push(a); console.log(labelOf(got(many).at(-1)), labelOf(got([a, ...many])[0])); port1.close()`,
    )
    expect(stdout).toBe('1 undefined undefined\nundefined\nundefined main#1\n')
    expect(lines.filter((line) => line.startsWith('note'))).toEqual([
      expect.stringContaining('getters'),
      expect.stringContaining('10,000 objects'),
    ])
  })

  test('ports that travel stay the program’s', async () => {
    const { lines } = await recorded(
      `const { port1, port2 } = new MessageChannel(); const w = text('parentPort.once("message", ({ port }) => { port.postMessage("direct"); port.close() }); workerData.postMessage("first"); workerData.close()', { workerData: port1, transferList: [port1] })
      const second = new MessageChannel(); w.postMessage({ port: second.port1 }, [second.port1]); let n = 0; port2.on('message', () => {}); second.port2.on('message', () => {})`,
    )
    expect(lines.filter((line) => /wake\(message worker/.test(line)).toSorted()).toEqual([
      'main wake(message worker 1:1)',
      'main wake(message worker 1:2)',
    ])
  })

  test('100,000 messages take a small multiple of the time', async () => {
    const code = `const N = 100000; (async () => { let best = Infinity; for (let round = 0; round < 3; round++) { const began = process.hrtime.bigint()
      const w = text('let n = 0; parentPort.on("message", () => { if (++n === ' + N + ') parentPort.close() })'); for (let i = 0; i < N; i++) w.postMessage({ i, s: 'text' }); await once(w, 'exit'); best = Math.min(best, Number(process.hrtime.bigint() - began)) } console.log(best) })()`
    const plain = await run(node, program(code), false)
    const watched = await run(node, program(code), true)
    expect(Number(watched.stdout) / Number(plain.stdout)).toBeLessThan(10)
  })
})
