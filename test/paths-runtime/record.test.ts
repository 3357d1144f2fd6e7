/** The file of paths of a recorded run: docs/branches.md. */
import { expect, test } from 'vitest'
import { branchesOf, record, replay, rowsOf, textOf, writesOf } from './paths-run.ts'

/** A turn that writes and a turn that decides. */
const two = (shared: string, first: string, then: string): string => `${shared}
setTimeout(() => { ${first} }, 1)
setTimeout(() => { ${then} }, 5)`

const decided = async (shared: string, first: string, then: string): Promise<string[]> => {
  const { directory, stderr } = await record(two(shared, first, then))
  expect(stderr).toBe('')
  return branchesOf(rowsOf(directory))
}

test('inputs, what is made of them, and what they held before', async () => {
  const source = two(
    `const box = { ready: false }; let n = 1; const next = (x) => x + 1; async function late(x) { await null; return x * 2 }`,
    `box.ready = true; n++`,
    `if (box.ready && next(n) > 2) n = 0
     const { ready } = box; const copy = [ready, n]; if (copy[0]) n = 5
     switch (n) { case 5: break; default: n = 6 }
     box.ready ?? 1; box?.ready
     late(n).then(() => 0); (async () => { if ((await late(box.ready)) === 2) n = 9 })()`,
  )
  const { directory } = await record(source)
  const rows = rowsOf(directory)
  expect(branchesOf(rows)).toEqual([
    '&& true by Object.ready',
    'if true by >(+(n 1) 2)',
    'if true by Object.ready',
    'switch true',
    '?? false by Object.ready',
    '?. false',
    'if true by ===(*(Object.ready 2) 2)',
  ])
  expect(writesOf(rows)).toEqual(expect.arrayContaining(['n = 1', 'Object.ready = true', 'n = 2 by inc(n)', 'n = 5']))
  // What was there before the first write is known.
  const write = rows.findIndex((row) => row.op === 'w' && row.target.endsWith('.ready'))
  expect(rows[write - 1]).toMatchObject({ op: 'r', value: 'false' })
  // An input is read once a turn.
  expect(rows.filter((row) => row.op === 'r' && row.target.endsWith('.ready') && row.value === 'true')).toHaveLength(1)
})

test('conditions on collections and arrays are recorded with what they read', async () => {
  const found = await decided(
    `const map = new Map(); const set = new Set(['x']); const list = []`,
    `map.set('a', 1); set.delete('x'); list.push(4, 5)`,
    `if (map.get('a')) 1; if (map.has('b')) 1; if (set.has('x')) 1; if (map.size === 1) 1
     if (list.length > 1) 1; if (list[1] === 5) 1; if (list.shift()) 1; if (list.includes(5)) 1`,
  )
  expect(found).toEqual([
    'if true by get(Map<"a">)',
    'if false by has(Map<"b">)',
    'if false by has(Set<"x">)',
    'if true by ===(Map.size 1)',
    'if true by >(Array.length 1)',
    'if true by ===(at(Array[1] Array[]) 5)',
    'if true by taken(Array.length at(Array[0] Array[]))',
    expect.stringMatching(/^if true by \?\(/),
  ])
})

test('receivers, keys, functions that only compute, and native code', async () => {
  const found = await decided(
    `const box = { who: { name: 'Ada' }, key: 'a', text: '{}', run: () => 1 }, table = { a: 1 }`,
    `box.who = { name: 'Bob' }; box.text = '[]'`,
    `box.who.name; table[box.key]; if (box.who.name.startsWith('B')) 1; JSON.parse(box.text); box.run(); if ([box.key].map((k) => k + 'b').length) 1`,
  )
  expect(found.slice(0, 6)).toEqual([
    'receiver #Object:0 by Object.who',
    'index "a" by Object.key',
    'receiver false by ==(Object.name null)',
    'if true by call String.prototype.startsWith(Object.name "B")',
    'throws false by call JSON.parse(Object.text)',
    'callee #function run by Object.run',
  ])
  expect(found[6]).toMatch(/^if true by \?\(/)
})

test('errors are the engine’s, and what decided is written before them', async () => {
  const source = two(
    `const box = { a: null, f: 1 }`,
    `box.a = null`,
    `for (const act of [() => box.a.b, () => box.a.b(), () => box.f(), () => new box.f(), () => { box.a.b = 1 }, () => { throw new Error('own') }])
       try { act() } catch (e) { console.log(e.constructor.name, e.message, /paths.(carry|recording)/.test(e.stack.split('\\n')[1])) }`,
  )
  const { directory, stdout } = await record(source)
  expect(stdout.trim().split('\n')).toEqual([
    "TypeError Cannot read properties of null (reading 'b') false",
    "TypeError Cannot read properties of null (reading 'b') false",
    'TypeError box.f is not a function false',
    'TypeError box.f is not a constructor false',
    "TypeError Cannot set properties of null (setting 'b') false",
    'Error own false',
  ])
  expect(branchesOf(rowsOf(directory))).toContain('receiver null by Object.a')
})

test('a replay writes decisions, under the same labels', async () => {
  const source = two(`const box = { who: { n: 1 } }, list = [{}]`, `box.who = { n: 2 }`, `if (box.who.n > 1) list[0].x = 1`)
  const [recorded, replayed] = [await record(source), await replay(source)]
  const rows = rowsOf(replayed.directory)
  expect(new Set(rows.map((row) => row.op))).toEqual(new Set(['turn', 'chain', 'branch']))
  const labels = (directory: string): string[] =>
    rowsOf(directory).flatMap((row) => (row.op === 'branch' ? [`${row.target} ${row.value} ${row.site}`] : []))
  for (const label of labels(recorded.directory)) expect(labels(replayed.directory)).toContain(label)
})

const THREADS = `const { Worker, isMainThread, workerData } = require('node:worker_threads')
if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(16))
  new Worker(__filename, { workerData: cells }).on('exit', () => { if (cells[1] === 7) cells[2]++ })
  const look = setInterval(() => { if (Atomics.load(cells, 3) === 1) { clearInterval(look); setTimeout(() => Atomics.store(cells, 0, 1), 50) } }, 5)
} else {
  Atomics.store(workerData, 3, 1)
  while (Atomics.load(workerData, 0) === 0);
  if (Atomics.compareExchange(workerData, 1, 0, 7) === 0) Atomics.add(workerData, 2, 2)
}`

test('threads: steps, and a circle of reads once', async () => {
  const { directory } = await record(THREADS)
  const rows = rowsOf(directory, 'worker 1')
  expect(
    branchesOf(rows)
      .filter((text) => /^(loop|if)/.test(text))
      .slice(-3),
  ).toEqual(['loop true by ===(main+0:4i 0)', 'loop false by ===(main+0:4i 0)', 'if true by ===(main+4:4i 0)'])
  const steps = rows.flatMap((row, i) => (row.op === 'step' ? [`${row.value} ${rows[i + 1]!.op}`] : []))
  expect(steps).toEqual(['2 wa', '3 ra', '4 ra', '5 ra', '6 ra'])
  expect(writesOf(rows).slice(1)).toEqual(['main+4:4i = 7 by ?(===(main+4:4i 0))', 'main+8:4i = 2 by +(main+8:4i 2)'])
  expect(branchesOf(rowsOf(directory))).toContain('if true by ===(main+4:4i 7)')
  const replayed = await replay(THREADS, [])
  const again = rowsOf(replayed.directory, 'worker 1')
  expect(new Set(again.map((row) => row.op))).toEqual(new Set(['turn', 'chain', 'step', 'branch']))
  expect(again.filter((row) => row.target === 'loop').map((row) => row.value)).toEqual(['true', 'false'])
})

test('a window keeps so many rows, and they refer to one another only', async () => {
  const source = `let n = 0; for (let i = 0; i < 50; i++) setTimeout(() => { if (n % 2 === 0) n += 1; else n += 3 }, 1)`
  for (const nth of [0, 2]) {
    const { directory } = await record(source, { window: 60, nth })
    const rows = rowsOf(directory)
    expect(rows.length).toBeGreaterThanOrEqual(60)
    expect(rows.length).toBeLessThan(80)
    expect(rows[0]!.op).toBe('turn')
    for (const [i, row] of rows.entries())
      if (row.op === 'of') expect(textOf(rows, Number(row.value)), `row ${i}`).toMatch(/n|^===\(0 0\)$/)
  }
  const { directory } = await record(source, { window: 60, nth: 1000 })
  expect(rowsOf(directory)).toEqual([])
})

test('a process that is killed leaves what it had written', async () => {
  const { directory } = await record(
    `let n = 0; const act = () => { for (let i = 0; i < 30000; i++) if (n > i) n--; setTimeout(() => { if (n > 0) n = 1; process.kill(process.pid, 'SIGKILL') }, 60) }; setTimeout(act, 1)`,
  )
  expect(rowsOf(directory).length).toBeGreaterThan(8000)
})
