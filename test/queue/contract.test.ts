/** What every queue holds, in memory and on a server: each item at least once, each result once, and a poisoned item ends no more than three workers. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../src/explore/queue/connection.ts'
import { idOf, ITEM_VERSION, type Item } from '../../src/explore/queue/item.ts'
import { JetStreamQueue, Runs } from '../../src/explore/queue/jetstream.ts'
import { MemoryQueue } from '../../src/explore/queue/memory.ts'
import type { Queue, Taken } from '../../src/explore/queue/queue.ts'
import { MOST_DEATHS, NotHere, readResult, workOnce, type Worker } from '../../src/explore/queue/work.ts'
import { ALL } from '../layer.ts'
import { cannot, Nats } from './server.ts'

const SILENCE_MS = 1000
const nats = cannot === '' ? await Nats.start() : undefined
const connections: Connection[] = []
afterAll(async () => {
  for (const connection of connections) await connection.close()
  await nats?.end()
})
const NEVER = new AbortController().signal

/** Two sides of one queue: in memory the same, on a server two connections. */
interface Pair {
  readonly here: Queue
  readonly there: Queue
}

let runs = 0
const newRun = (): string => `test${process.pid}n${++runs}`

const PLACES: readonly { readonly name: string; readonly skip: boolean; readonly open: () => Promise<Pair> }[] = [
  {
    name: 'in memory',
    skip: false,
    open: async () => {
      const queue = new MemoryQueue(newRun(), SILENCE_MS)
      return { here: queue, there: queue }
    },
  },
  {
    name: `on JetStream ${cannot}`,
    skip: cannot !== '',
    open: async () => {
      const [a, b] = [await nats!.connect(), await nats!.connect()]
      connections.push(a, b)
      const run = newRun()
      const here = await JetStreamQueue.open(a, run, SILENCE_MS)
      return { here, there: (await JetStreamQueue.join(b, run))! }
    },
  },
]

const itemOf = (run: string, nth: number): Item => ({ heddle: ITEM_VERSION, kind: 'tests', run, nth, name: `${nth}.test.js` })

/** At least so many: a delivery that a busy machine loses is counted too. */
const atLeast = (nth: number): number => expect.toSatisfy((attempt: number) => attempt >= nth, `at least ${nth}`) as number

async function take(queue: Queue): Promise<Taken> {
  for (;;) {
    const taken = await queue.take(NEVER)
    if (taken) return taken
  }
}

const counting = (made: number[], make: Worker['make'] = async () => 'object'): Worker => ({
  name: 'tester',
  beatMs: SILENCE_MS / 3,
  make: (item, signal) => {
    made.push(item.nth)
    return make(item, signal)
  },
})

describe.each(PLACES)('$name', ({ open, skip }) => {
  test.skipIf(skip)('an item that is put three times is given out once, and its result reaches who waits for it', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 0)
    for (let i = 0; i < 3; i++) await here.put(item)
    const waiting = here.result(idOf(item), NEVER)
    const made: number[] = []
    expect(await workOnce(there, counting(made), NEVER)).toBe(true)
    expect(readResult((await waiting)!)).toMatchObject({ object: 'object', attempt: atLeast(1), by: 'tester' })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 2500)
    while (!stop.signal.aborted) await workOnce(there, counting(made), stop.signal)
    expect(made).toEqual([0])
  })

  test.skipIf(skip)('what a silent worker has is given to another one; of two results the first counts', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 1)
    await here.put(item)
    const silent = await take(there)
    expect(silent.attempt).toBeGreaterThanOrEqual(1)
    const made: number[] = []
    await workOnce(there, counting(made), NEVER)
    expect(made).toEqual([1])
    const late = JSON.stringify({ object: 'late', attempt: 1, ms: 0, by: 'silent' })
    const standing = await there.claim('done', idOf(item), late)
    expect(readResult(standing)).toMatchObject({ object: 'object', attempt: atLeast(2) })
    expect(await here.result(idOf(item), NEVER)).toBe(standing)
  })

  test.skipIf(skip)('a worker that says that it works keeps its item', async () => {
    const { here, there } = await open()
    await here.put(itemOf(here.run, 2))
    const made: number[] = []
    const slow = workOnce(
      there,
      counting(made, async () => {
        await sleep(3 * SILENCE_MS)
        return 'object'
      }),
      NEVER,
    )
    while (made.length === 0) await sleep(10)
    const stop = new AbortController()
    const other = (async () => {
      while (!stop.signal.aborted) await workOnce(here, counting(made), stop.signal)
    })()
    expect(await slow).toBe(true)
    stop.abort()
    await other
    expect(made).toEqual([2])
  })

  test.skipIf(skip)('an item that ends three workers is buried, and whoever waits for it is told', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 3)
    await here.put(item)
    const begun: number[] = []
    for (let deaths = 0; deaths < MOST_DEATHS; deaths++) {
      const { beatMs: _, ...silent } = counting(begun, () => new Promise<never>(() => undefined))
      void workOnce(there, silent, NEVER)
      while (begun.length === deaths) await sleep(10)
    }
    const made: number[] = []
    while ((await here.claimed('done', idOf(item))) === undefined) await workOnce(there, counting(made), NEVER)
    expect(made).toEqual([])
    expect(readResult((await here.result(idOf(item), NEVER))!)).toEqual({ dead: 'it ended 3 workers', attempt: atLeast(4) })
  })

  test.skipIf(skip)('an item that gets lost on its way to a worker ends nobody', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 6)
    await here.put(item)
    for (let nth = 1; nth <= MOST_DEATHS + 1; nth++) expect((await take(there)).attempt).toBeGreaterThanOrEqual(nth)
    const made: number[] = []
    while ((await here.claimed('done', idOf(item))) === undefined) await workOnce(there, counting(made), NEVER)
    expect(made).toEqual([6])
  })

  test.skipIf(skip)('whoever buries an item is killed: its result was there before', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 7)
    await here.put(item)
    const killed: Queue = Object.assign(Object.create(there) as Queue, {
      take: async (signal: AbortSignal) => {
        const taken = await there.take(signal)
        return taken && { ...taken, bury: () => Promise.reject(new Error('killed')) }
      },
    })
    const poisoned = counting([], () => Promise.reject(new NotHere('nobody can', true)))
    await expect(workOnce(killed, poisoned, NEVER)).rejects.toThrow('killed')
    expect(readResult((await here.result(idOf(item), NEVER))!)).toMatchObject({ dead: 'nobody can' })
  })

  test.skipIf(skip)('an item that is given back ends nobody: it is tried again, with more patience each time', async () => {
    const { here, there } = await open()
    const item = itemOf(here.run, 4)
    await here.put(item)
    const made: number[] = []
    let left = 2
    const worker = counting(made, async () => {
      if (left-- > 0) throw new NotHere('the disk is full here')
      return 'object'
    })
    const start = performance.now()
    while ((await here.claimed('done', idOf(item))) === undefined) await workOnce(there, worker, NEVER)
    expect(made).toEqual([4, 4, 4])
    expect(performance.now() - start).toBeGreaterThan(2900)
    expect(readResult((await here.result(idOf(item), NEVER))!)).toMatchObject({ object: 'object', attempt: atLeast(3) })
  })

  test.skipIf(skip)('what is no item is buried at once, and the one after it is done', async () => {
    const { here, there } = await open()
    const long = Buffer.alloc(1_000_000, 'x')
    for (const bytes of [Buffer.from('{"heddle":1,"kind":"shell","command":["rm"]}'), long]) {
      if (here instanceof MemoryQueue) here.putBytes('x', bytes)
      else await connections.at(-2)!.js.publish(`heddle.${here.run}.work`, bytes)
    }
    await here.put(itemOf(here.run, 5))
    const made: number[] = []
    while ((await here.claimed('done', 'tests-5')) === undefined) await workOnce(there, counting(made), NEVER)
    expect(made).toEqual([5])
  })

  test.skipIf(skip)('of forty who claim a class at the same time one is the first, and all learn who', async () => {
    const { here, there } = await open()
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? here : there).claim('class', 'c1', `claimer ${i}`)))
    expect(new Set(all).size).toBe(1)
  })

  test.skipIf(skip)('objects come back as they were, also large ones', async () => {
    const { here, there } = await open()
    const bytes = randomBytes(3_000_000)
    await here.store('large', bytes)
    expect(Buffer.from((await there.load('large'))!).equals(bytes)).toBe(true)
    expect(await there.load('nothing')).toBeUndefined()
  })

  test.skipIf(skip || !ALL)('many large objects at once come all, and nobody is cut off', async () => {
    const { here, there } = await open()
    const bytes = randomBytes(10_000_000)
    const loaded = Array.from({ length: 16 }, async (_, i) => {
      await there.store(`large-${i}`, bytes)
      return Buffer.from((await here.load(`large-${i}`))!).equals(bytes)
    })
    expect(await Promise.all(loaded)).toEqual(Array.from({ length: 16 }, () => true))
  })

  test.skipIf(skip)('who is told to stop waits no longer', async () => {
    const { here } = await open()
    const stop = new AbortController()
    const waiting = here.result('tests-9', stop.signal)
    stop.abort()
    expect(await waiting).toBeUndefined()
  })
})

test.skipIf(cannot !== '')(`what nobody removed is taken away later, and who puts something there is told ${cannot}`, async () => {
  const { here } = await PLACES[1]!.open()
  const connection = connections.at(-2)!
  await Runs.sweep(connection)
  expect(await JetStreamQueue.join(connection, here.run)).toBeDefined()
  await Runs.sweep(connection, -60_000)
  expect(await JetStreamQueue.join(connection, here.run)).toBeUndefined()
  await expect(here.put(itemOf(here.run, 8))).rejects.toThrow(`Run "${here.run}" is not on the queue any more`)
})
