/**
 * Workers, a server and one who asks, as a closed network of queues: a worker gets an item from the server, replays it, gives the result to the server; the one who asked reads it and puts the next
 * one. The server and the one who asked do one thing at a time; workers do not wait for each other. Simulated event by event, seeded, with replays that vary by a third.
 */
import { Heap } from '../src/base/heap.ts'
import { Random } from '../src/base/random.ts'
import { table } from './measure.ts'

export interface Model {
  readonly replayMs: number
  /** Of the server, for an item in all. */
  readonly serverMs: number
  /** Of the one who asked, for an item in all. */
  readonly askerMs: number
}

const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]
const ITEMS_EACH = 40

export function throughput({ replayMs, serverMs, askerMs }: Model, workers: number): { perSecond: number; server: number; asker: number } {
  const random = new Random(workers)
  const heap = new Heap<{ readonly at: number; readonly nth: number }>((a, b) => a.at < b.at || (a.at === b.at && a.nth < b.nth))
  let [server, asker, now, serverBusy, askerBusy] = [0, 0, 0, 0, 0]
  for (let nth = 0; nth < workers; nth++) heap.push({ at: 0, nth })
  const items = workers * ITEMS_EACH
  for (let done = 0; done < items; done++) {
    const { at, nth } = heap.take()
    // The item comes from the one who asked by way of the server.
    asker = Math.max(asker, at) + askerMs
    server = Math.max(server, asker) + serverMs
    askerBusy += askerMs
    serverBusy += serverMs
    now = server + replayMs * (2 / 3 + (2 / 3) * (random.below(1000) / 1000))
    heap.push({ at: now, nth })
  }
  let end = 0
  while (heap.size > 0) end = Math.max(end, heap.take().at)
  return { perSecond: (1000 * items) / end, server: serverBusy / end, asker: askerBusy / end }
}

/** A table, and where it bends. */
export function simulated(model: Model): string {
  const rows = [['workers', 'items/s', 'of linear', 'server busy', 'asker busy']]
  const one = throughput(model, 1).perSecond
  let bend = 0
  for (const count of COUNTS) {
    const { perSecond, server, asker } = throughput(model, count)
    const share = perSecond / (one * count)
    if (share >= 0.8) bend = count
    rows.push([
      String(count),
      perSecond.toFixed(1),
      `${(100 * share).toFixed(0)} %`,
      `${(100 * server).toFixed(0)} %`,
      `${(100 * asker).toFixed(0)} %`,
    ])
  }
  const who = model.askerMs > model.serverMs ? 'the one who asked' : 'the server'
  const limit = 1000 / Math.max(model.askerMs, model.serverMs)
  return `80 % of linear up to ${bend} workers; ${who} is the limit, at ${limit.toFixed(0)} items/s\n\n${table(rows)}`
}
