/** Schedules written by hand: the order is kept, what cannot come is given up with a sentence, and who hangs is told. */
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ThreadStep } from '../../src/schedule/schedule.ts'
import { sized } from '../layer.ts'
import { program, run, type Outcome } from './record-run.ts'

const line = (task: string, upTo: number, does: string, over: Partial<ThreadStep> = {}): ThreadStep => ({
  task,
  upTo,
  does,
  site: '',
  note: '',
  ...over,
})

/** Two workers, one cell; both begin at once. Worker: begin 1, then its steps. Main: fork, fork. */
const pair = (first: string, second: string, main = '') =>
  program(
    `const a = new Int32Array(new SharedArrayBuffer(16)); const ws = [0, 1].map((i) => new Worker(__filename, { workerData: { a, i } }))
    ${main}\nawait Promise.all(ws.map((w) => once(w, 'exit'))); print([...a])`,
    `const { a, i } = workerData; if (i === 0) { ${first} } else { ${second} }`,
  )

const replayed = async (files: Record<string, string>, steps: ThreadStep[], sleeps?: string[]): Promise<Outcome> =>
  run(files, { steps, ...(sleeps && { sleeps }) })

/** Every thread may wait for the others to start: forks first. */
const FORKED = line('main', 2, 'fork')

test('the order of the lines is the order of the steps, every time', async () => {
  const files = pair('a[0] = 1; a[1] = a[0]', 'a[0] = 2; a[2] = a[0]')
  for (let i = 0; i < sized(2, 20); i++) {
    const [x, y] = i % 2 === 0 ? ['worker 1', 'worker 2'] : ['worker 2', 'worker 1']
    // x writes, y writes, x reads what y wrote.
    const ran = await replayed(files, [FORKED, line(x!, 2, 'write'), line(y!, 2, 'write'), line(x!, 4, 'write')])
    expect(ran.stderr).toBe('')
    expect(ran.report?.threads).toEqual({ done: 4 })
    const last = i % 2 === 0 ? 2 : 1
    expect(JSON.parse(ran.stdout)).toEqual([last, last, last, 0])
  }
})

test.each<[string, Record<string, string>, ThreadStep[], RegExp]>([
  [
    'it never begins',
    pair('a[0] = 1', 'a[1] = 1'),
    [FORKED, line('worker 7', 2, 'write')],
    /^worker 7 did not come to its step 2 \(write\): it has not begun\.$/,
  ],
  [
    'it has ended',
    pair('a[0] = 1', 'a[1] = 1'),
    [FORKED, line('worker 1', 9, 'write')],
    /^worker 1 did not come to its step 9 \(write\): it has ended\.$/,
  ],
  [
    'it waits',
    pair('Atomics.wait(a, 0, 0); a[1] = 1', 'a[2] = 1; Atomics.notify(a, 0)'),
    [FORKED, line('worker 1', 3, 'woken')],
    /^worker 1 did not come to its step 3 \(woken\): it waits in Atomics\.wait for main#1\[0\] at main\.cjs:\d+:\d+.*\.$/,
  ],
  [
    'it spins',
    pair('while (Atomics.load(a, 0) === 0) ; a[1] = 1', 'a[2] = 1; Atomics.store(a, 0, 1)'),
    [FORKED, line('worker 1', 4, 'write')],
    /^worker 1 did not come to its step 4 \(write\): it spins on main#1\[0\] at main\.cjs:\d+:\d+.*\.$/,
  ],
  [
    'another step',
    pair('Atomics.add(a, 0, 1)', 'a[1] = 1'),
    [FORKED, line('worker 1', 2, 'write')],
    /^worker 1 came to its step 2 with another one: update at main\.cjs.*, not write\.$/,
  ],
  [
    'another place',
    pair('a[0] = 1', 'a[1] = 1'),
    [FORKED, line('worker 1', 2, 'write', { site: 'other.cjs:1:1' })],
    /^worker 1 came to its step 2 with another one: write at main\.cjs.*, not write at other\.cjs:1:1\.$/,
  ],
])('given up: %s', async (_what, files, steps, why) => {
  const ran = await replayed(files, steps)
  expect(ran.report?.threads?.gaveUp?.why).toMatch(why)
  expect(ran.report?.threads).toMatchObject({ done: 1, gaveUp: { line: 2 } })
  // It goes on freely, and ends.
  expect(ran.code).toBe(0)
})

const stuck = (ran: Outcome): readonly string[] => {
  expect(ran.report?.stuck).toBe(true)
  return ran.report?.waiting?.map((text) => text.replace(/ at main\.cjs:\S+( <anonymous>)?/, '')) ?? []
}

test('two who wait for each other', async () => {
  const files = pair('Atomics.wait(a, 0, 0)', 'Atomics.wait(a, 1, 0)')
  expect(stuck(await replayed(files, [FORKED, line('worker 1', 2, 'wait'), line('worker 2', 2, 'wait')]))).toEqual([
    'main has nothing to do but to wait for messages.',
    'worker 1 waits in Atomics.wait for main#1[0].',
    'worker 2 waits in Atomics.wait for main#1[1].',
  ])
})

test('two spin locks, taken in opposite orders; main waits, too', async () => {
  const lock = (n: number): string => `while (Atomics.compareExchange(a, ${n}, 0, 1) !== 0) ;`
  const files = pair(`${lock(0)} ${lock(1)}`, `${lock(1)} ${lock(0)}`, 'Atomics.wait(a, 3, 0)')
  expect(stuck(await replayed(files, [FORKED, line('worker 1', 2, 'update'), line('worker 2', 2, 'update')]))).toEqual([
    'main waits in Atomics.wait for main#1[3].',
    'worker 1 spins on main#1[1].',
    'worker 2 spins on main#1[0].',
  ])
})

test('a thread whose module takes long to load is not stuck', async () => {
  // The loader's thread does nothing for longer than a hang takes to be told, as on a busy machine.
  const slow = `export const load = (url, context, next) => {
    if (url.endsWith('slow.mjs')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1800)
    return next(url, context)
  }`
  const files = program(
    `require('node:module').register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(slow)}))
    await once(new Worker(__filename), 'exit'); await import('./slow.mjs'); print('loaded')`,
  )
  const ran = await run({ ...files, 'slow.mjs': '' }, { steps: [line('main', 1, 'fork')] })
  expect(ran.report?.stuck).toBeUndefined()
  expect(ran.stdout).toBe('"loaded"\n')
})

test('a time-out passes where a line says so', async () => {
  const files = pair('a[1] = Atomics.wait(a, 0, 0, 60_000) === "timed-out" ? 1 : 2', 'Atomics.store(a, 0, 1); Atomics.notify(a, 0)')
  const steps = [FORKED, line('worker 1', 2, 'wait'), line('worker 1', 3, 'timed out', { timesOut: true }), line('worker 2', 3, 'notify')]
  const ran = await replayed(files, steps)
  expect(ran.report?.threads).toEqual({ done: 4 })
  expect(JSON.parse(ran.stdout)).toEqual([1, 1, 0, 0])
})

test('a time-out that nobody asked for does not pass early; a sleep takes its time', async () => {
  // It would time out after 10 ms; who wakes it comes 300 ms later.
  const files = pair('a[1] = Atomics.wait(a, 0, 0, 10) === "ok" ? 1 : 2', 'setTimeout(() => Atomics.notify(a, 0), 300)')
  const ran = await replayed(files, [FORKED, line('worker 1', 2, 'wait')])
  expect(JSON.parse(ran.stdout)).toEqual([0, 1, 0, 0])
  const sleeper = program(
    `const a = new Int32Array(new SharedArrayBuffer(16)), w = new Worker(__filename, { workerData: a }); await once(w, 'exit'); const t = performance.now()
    Atomics.wait(a, 0, 0, 100)
    const ms = performance.now() - t; print(ms < 100 ? 'early' : ms < 1000 ? 'in time' : 'late')`,
    'Atomics.notify(workerData, 0)',
  )
  const { trace } = (await run(sleeper)).joined()
  const timedOut = Array.from({ length: trace.eventCount }, (_, e) => e).find((e) => trace.eventText(e).startsWith('relS'))!
  const site = trace.siteName(timedOut).split(' < ')[0]!
  const steps = [line('main', 1, 'fork')]
  expect((await replayed(sleeper, steps, [site])).stdout).toBe('"in time"\n')
  expect((await replayed(sleeper, steps)).stdout).toBe('"late"\n')
  // Nobody else has the buffer: nobody could wake it.
  const alone =
    program(`const t = performance.now(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); const ms = performance.now() - t
    await once(new Worker(__filename), 'exit'); print(ms < 100 ? 'early' : ms < 1000 ? 'in time' : 'late')`)
  expect((await replayed(alone, [line('main', 1, 'wait')])).stdout).toBe('"in time"\n')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s while threads are held leaves no process', async (signal) => {
  const files = pair('a[0] = 1; console.log("over")', 'console.log("here"); for (;;) ;')
  let pid = 0
  const ran = await run(files, {
    steps: [FORKED, line('worker 2', 5, 'write')],
    started: (child) => {
      pid = child.pid!
      void sleep(1500).then(() => child.kill(signal))
    },
  })
  expect(ran.signal).toBe(signal)
  expect(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()).toMatch(/^(Z.*)?$/)
})
