/** What is recorded of threads that share memory: the table of docs/workers.md, row by row, and that the joined run is one that happened. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { checkValues } from '../../src/trace/check-values.ts'
import { both, NODES, program, run, type Outcome } from './record-run.ts'
import { sized } from '../layer.ts'

/** Main and a worker do the same, one after the other, so that every cell is shared. */
const inTurn = (code: string, prepare = ''): Record<string, string> =>
  program(
    `const sab = new SharedArrayBuffer(64); ${prepare}\nconst w = new Worker(__filename, { workerData: sab }); await once(w, 'exit'); act(sab)
    function act(sab) { ${code} }`,
    `act(workerData); function act(sab) { ${code} }`,
  )

const NOT_MEMORY = /^(fork|begin|end|join)/
const memory = (ran: Outcome, task: string): string[] => ran.events(task).filter((text) => !NOT_MEMORY.test(text))

async function recorded(files: Record<string, string>, node = process.execPath): Promise<Outcome> {
  const ran = await run(files, { node })
  expect(ran.stderr).toBe('')
  expect(ran.code).toBe(0)
  expect(checkValues(ran.joined().trace)).toBeUndefined()
  return ran
}

describe.each(NODES)('%s', (_name, node) => {
  test('every operation of Atomics is recorded', async () => {
    const ran = await recorded(
      inTurn(`const a = new Int8Array(sab), b = new BigInt64Array(sab, 8)
      Atomics.store(a, 0, 127); Atomics.load(a, 0); Atomics.add(a, 0, 1); Atomics.sub(a, 0, 1); Atomics.and(a, 0, 12); Atomics.or(a, 0, 3)
      Atomics.xor(a, 0, 1); Atomics.exchange(a, 0, 300); Atomics.compareExchange(a, 0, 44, 5); Atomics.compareExchange(a, 0, 44, 6)
      Atomics.store(b, 0, 2n ** 63n); Atomics.sub(b, 0, 1n); Atomics.store(a, '1', true)`),
      node,
    )
    const cell = 'main#1+0:1'
    expect(memory(ran, 'worker 1')).toEqual([
      `wa(${cell})=127`,
      `ra(${cell})=127`,
      `ra(${cell})=127`,
      `u(${cell})=-128`,
      `ra(${cell})=-128`,
      `u(${cell})=127`,
      `ra(${cell})=127`,
      `u(${cell})=12`,
      `ra(${cell})=12`,
      `u(${cell})=15`,
      `ra(${cell})=15`,
      `u(${cell})=14`,
      `ra(${cell})=14`,
      `u(${cell})=44`,
      `ra(${cell})=44`,
      `u(${cell})=5`,
      `ra(${cell})=5`,
      'wa(main#1+8:8)=-9223372036854775808n',
      'ra(main#1+8:8)=-9223372036854775808n',
      'u(main#1+8:8)=9223372036854775807n',
      'wa(main#1+1:1)=1',
    ])
    expect(memory(ran, 'main')).toEqual(memory(ran, 'worker 1'))
  })

  test('accesses to elements, ranges and DataViews are recorded', async () => {
    const ran = await recorded(
      inTurn(`const a = new Int32Array(sab), s = a.subarray(2), d = new DataView(sab, 16)
      a[0] = 5; a[0]++; a['1'] = a[0]; s[0] += 2; [a[0], a[1]] = [1, 2]; a[99] = 1; a[99]; a.x = 1; a.length
      d.setInt32(0, 7, true); d.setInt32(0, 1); d.getInt32(0)
      s.fill(3, 4, 6); s.set([8], 4); a.copyWithin(10, 6, 7); a.slice(6, 8); a.subarray(6, 8).sort((x, y) => x - y)`),
      node,
    )
    const x = (n: number): string => `main#1[${n}]`
    expect(memory(ran, 'worker 1')).toEqual([
      `w(${x(0)})=5`,
      `r(${x(0)})=5`,
      `w(${x(0)})=6`,
      `r(${x(0)})=6`,
      `w(${x(1)})=6`,
      `r(${x(2)})=0`,
      `w(${x(2)})=2`,
      `w(${x(0)})=1`,
      `w(${x(1)})=2`,
      `w(${x(4)})=7`,
      `w(${x(4)})=16777216`,
      `r(${x(4)})=16777216`,
      `w(${x(6)})=3`,
      `w(${x(7)})=3`,
      `w(${x(6)})=8`,
      `r(${x(6)})=8`,
      `w(${x(10)})=8`,
      `r(${x(6)})=8`,
      `r(${x(7)})=3`,
      `r(${x(6)})=8`,
      `r(${x(7)})=3`,
      `w(${x(6)})=3`,
      `w(${x(7)})=8`,
    ])
  })

  test('one cell through several views is one location, and overlaps are cut', async () => {
    const ran = await recorded(
      inTurn(`new Int32Array(sab)[1] = -1; new Uint32Array(sab, 4)[0]; new DataView(sab, 2).getInt32(2); new Float64Array(sab)[2] = 1; new Uint8Array(sab)[23]
      new DataView(sab).setInt16(31, 258)`),
      node,
    )
    expect(memory(ran, 'worker 1')).toEqual([
      'w(main#1+4:4)=4294967295',
      'r(main#1+4:4)=4294967295',
      'r(main#1+4:4)=4294967295',
      ...memory(ran, 'worker 1').slice(3),
    ])
    expect(
      memory(ran, 'worker 1')
        .slice(3)
        .map((text) => text.replace(/=.*/, '')),
    ).toEqual(['w(main#1+16:7)', 'w(main#1+23:1)', 'r(main#1+23:1)', 'w(main#1+31:2)'])
  })

  test('waits: not equal, timed out, woken; in the order they came', async () => {
    const files = program(
      `const sab = new SharedArrayBuffer(16), a = new Int32Array(sab), seen = []
      const ws = []
      for (let i = 0; i < 3; i++) {
        const w = new Worker(__filename, { workerData: { sab, i } }); ws.push(w)
        while (Atomics.load(a, 1) <= i) await new Promise((r) => setTimeout(r, 5))
        await new Promise((r) => setTimeout(r, 100))
      }
      seen.push(Atomics.wait(a, 0, 1), Atomics.wait(a, 0, 0, 1), Atomics.notify(a, 2), Atomics.notify(a, 0, 0), Atomics.notify(a, 0, 1))
      await once(ws[0], 'exit'); seen.push(Atomics.notify(a, 0))
      await Promise.all(ws.slice(1).map((w) => once(w, 'exit'))); seen.push(Atomics.load(a, 2), Atomics.notify(a, 0))
      if (Atomics.waitAsync) {
        const { async: no, value } = Atomics.waitAsync(a, 0, 5); seen.push(no, value)
        seen.push(await Atomics.waitAsync(a, 0, 0, 5).value)
        const last = Atomics.waitAsync(a, 0, 0, 5000); seen.push(last.async, Atomics.notify(a, 0), await last.value)
      }
      print(seen)`,
      `const a = new Int32Array(workerData.sab); Atomics.add(a, 1, 1)
      if (Atomics.wait(a, 0, 0) === 'ok') Atomics.store(a, 2, Atomics.load(a, 2) * 10 + workerData.i)`,
    )
    const { plain, recorded: ran } = await both(files, node)
    expect(ran.stderr).toBe('')
    expect(ran.stdout.replace('21', '12')).toBe(plain.stdout.replace('21', '12'))
    expect(checkValues(ran.joined().trace)).toBeUndefined()
    const list = 'waiters of main#1[0]'
    expect(memory(ran, 'worker 1').slice(2, 6)).toEqual([`acqS(${list})`, 'ra(main#1[0])=0', `relS(${list})`, 'wake(main#1[0])'])
    const main = memory(ran, 'main').filter((text) => !/\[[12]\]/.test(text))
    expect(main.slice(0, 12)).toEqual([
      'ra(main#1[0])=0',
      'call(wait 1)',
      `acqS(${list})`,
      'ra(main#1[0])=0',
      `relS(${list})`,
      `acq(${list})`,
      `rel(${list})`,
      `acq(${list})`,
      'notify(main#1[0])',
      `rel(${list})`,
      `acq(${list})`,
      'notifyAll(main#1[0])',
    ])
  })

  test('spinning is recorded once, and the value that ends it', async () => {
    const ran = await recorded(
      program(
        `const a = new Int32Array(new SharedArrayBuffer(16)); const w = new Worker(__filename, { workerData: a }); await once(w, 'message')
        setTimeout(() => Atomics.store(a, 0, 1), 50); await once(w, 'exit')`,
        `parentPort.postMessage(0); while (Atomics.load(workerData, 0) === 0) ; while (Atomics.compareExchange(workerData, 0, 7, 8) !== 1) ;`,
      ),
      node,
    )
    expect(memory(ran, 'worker 1')).toEqual(['notify(message worker 1:1)', 'ra(main#1[0])=0', 'ra(main#1[0])=1', 'ra(main#1[0])=1'])
  })

  test('a thread that is terminated while it waits is not woken', async () => {
    const files = program(
      `const a = new Int32Array(new SharedArrayBuffer(16)), seen = []
      const start = async (mode) => { const w = new Worker(__filename, { workerData: { a, mode } }); await once(w, 'message'); await new Promise((r) => setTimeout(r, 200)); return w }
      for (const mode of ['wait', 'nested', 'async']) { const w = await start(mode); seen.push(await w.terminate()); seen.push(Atomics.notify(a, 0)) }
      const dead = await start('wait'), alive = await start('wait')
      await dead.terminate(); seen.push(Atomics.notify(a, 0, 1)); seen.push(await once(alive, 'exit'))
      print(seen)`,
      `const { a, mode } = workerData
      if (mode === 'nested') { const w = new Worker(__filename, { workerData: { a, mode: 'wait' } }); w.on('message', () => parentPort.postMessage(0)) }
      else if (mode === 'async') { parentPort.postMessage(0); Atomics.waitAsync?.(a, 0, 0); setInterval(() => {}, 1000) }
      else { parentPort.postMessage(0); Atomics.wait(a, 0, 0) }`,
    )
    const { plain, recorded: ran } = await both(files, node)
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toBe(plain.stdout)
  })

  test('messages, ports, broadcasts, environment data, workers in workers, text workers', async () => {
    const files = program(
      `const sab = new SharedArrayBuffer(32), a = new Int32Array(sab), seen = []
      T.setEnvironmentData('shared', sab)
      const { port1, port2 } = new MessageChannel(), b = new BroadcastChannel('b')
      const w = new Worker(__filename, { workerData: { port: port2 }, transferList: [port2] })
      port1.on('message', (m) => { seen.push(m.n); m.a[0]++; b.postMessage('end') })
      await once(w, 'exit'); port1.close(); b.close()
      const t = new Worker('const { workerData, parentPort } = require("worker_threads"); workerData[3] = 4; parentPort.postMessage({ is: workerData })', { eval: true, workerData: a })
      const [{ is }] = await once(t, 'message'); seen.push(is[3]); await once(t, 'exit')
      print([...seen, ...a])`,
      `if (workerData.port) {
        const a = new Int32Array(T.getEnvironmentData('shared')), b = new BroadcastChannel('b'), c = new MessageChannel()
        const inner = new Worker(__filename, { workerData: { inner: a } }); await once(inner, 'exit')
        c.port1.postMessage({ a }); receiveMessageOnPort(c.port2).message.a[2] = 3; c.port1.close()
        b.onmessage = () => { b.close(); a[4] = 1 }
        workerData.port.postMessage({ n: a[0], a }); workerData.port.close()
      } else workerData.inner[0] = 9`,
    )
    const { plain, recorded: ran } = await both(files, node)
    expect([ran.stdout, ran.stderr, ran.code]).toEqual([plain.stdout, plain.stderr, plain.code])
    expect(checkValues(ran.joined().trace)).toBeUndefined()
    const x = (n: number): string => `main#1[${n}]`
    expect(ran.events('worker 1.1')).toEqual(['begin', `w(${x(0)})=9`, 'end'])
    expect(memory(ran, 'worker 1').filter((text) => /main#1/.test(text))).toEqual([`w(${x(2)})=3`, `r(${x(0)})=9`, `w(${x(4)})=1`])
    expect(memory(ran, 'worker 2')).toEqual([`w(${x(3)})=4`, 'notify(message worker 2:1)'])
    expect(memory(ran, 'main').slice(0, 3)).toEqual([
      expect.stringMatching(/^wake\(message worker 1:\d\)$/),
      `r(${x(0)})=9`,
      `w(${x(0)})=10`,
    ])
  })

  test.each([
    [
      'process.exit in main',
      `new Worker(__filename).on('message', () => process.exit(3))`,
      'parentPort.postMessage(0); setInterval(() => {}, 5)',
    ],
    ['a worker that throws', `new Worker(__filename).on('error', (e) => print(e.message)).on('exit', print)`, 'throw new Error("mine")'],
    ['nobody listens to its error', `new Worker(__filename)`, 'throw new Error("mine")'],
    ['process.exit in a worker', `new Worker(__filename).on('exit', print)`, 'process.exit(4)'],
    ['no such file', `new Worker('./nowhere.cjs').on('error', (e) => print(e.code)).on('exit', print)`, ''],
    [
      'WebAssembly',
      `const m = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }); const a = new Int32Array(m.buffer); new SharedArrayBuffer(8)
      const w = new Worker(__filename, { workerData: a }); await once(w, 'message'); print([a[0], Atomics.load(a, 1)])`,
      'workerData[0] = 1; Atomics.add(workerData, 1, 2); parentPort.postMessage(0)',
    ],
  ])('%s', async (what, main, worker) => {
    const { plain, recorded: ran } = await both(program(main, worker), node)
    expect([ran.stdout, ran.code]).toEqual([plain.stdout, plain.code])
    const words = (text: string): string[] => text.split('\n').filter((line) => /Error/.test(line))
    expect(words(ran.stderr)).toEqual(words(plain.stderr))
    if (what === 'WebAssembly') expect(ran.report?.notes.join(' ')).toMatch(/of WebAssembly, say\) was sent: it was left alone/)
  })
})

test('killed while it records: what was written is readable', async () => {
  const ran = await run(
    program(
      `const a = new Int32Array(new SharedArrayBuffer(16)); const w = new Worker(__filename, { workerData: a })
      setInterval(() => Atomics.add(a, 0, 1), 1); w.on('message', () => console.log('now'))`,
      `let n = 0; setInterval(() => { Atomics.add(workerData, 0, 1); if (++n === 100) parentPort.postMessage(0) }, 1)`,
    ),
    { started: (child) => child.stdout!.once('data', () => child.kill('SIGKILL')) },
  )
  expect(ran.signal).toBe('SIGKILL')
  const { trace } = ran.joined()
  expect(checkValues(trace)).toBeUndefined()
  expect(trace.taskCount).toBe(2)
  expect(trace.eventCount).toBeGreaterThan(100)
})

/** Random accesses of all kinds to eight cells, seeded. */
const stress = (seed: number): Record<string, string> =>
  program(
    `const sab = new SharedArrayBuffer(32); for (let i = 0; i < 4; i++) new Worker(__filename, { workerData: { sab, seed: ${seed} + i * 7919 } })`,
    `const { sab, seed } = workerData; let s = seed; const rnd = (n) => ((s = (Math.imul(s, 1103515245) + 12345) >>> 0) >>> 8) % n
    const a = new Int32Array(sab), u = new Uint32Array(sab), h = new Uint16Array(sab), d = new DataView(sab)
    for (let i = 0; i < 400; i++) { const k = rnd(8), v = rnd(1000); switch (rnd(14)) {
      case 0: a[k] = v; break; case 1: a[k]; break; case 2: a[k]++; break; case 3: Atomics.add(a, k, v); break; case 4: Atomics.load(u, k); break
      case 5: Atomics.store(u, k, v); break; case 6: Atomics.compareExchange(a, k, a[k], v); break; case 7: Atomics.exchange(a, k, v); break
      case 8: h[k * 2 + rnd(2)] = v; break; case 9: d.setInt32(rnd(29), v); break; case 10: d.getInt16(rnd(31)); break; case 11: a.fill(v, k, k + 2); break
      case 12: a.slice(k); break; case 13: Atomics.notify(a, k); break } }`,
  )

const RUNS = sized(3, 100)

test('the joined run is one that happened: four threads at random', async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const ran = await run(stress(seed * 104729))
    expect(ran.stderr).toBe('')
    const { trace } = ran.joined()
    expect(checkValues(trace)).toBeUndefined()
    expect(trace.taskCount).toBe(5)
  }
})

test('no process is left', () => {
  const { stdout } = spawnSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' })
  expect(stdout.split('\n').filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('main.cjs'))).toEqual([])
})
