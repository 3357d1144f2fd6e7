/**
 * Workers, a server and one who asks, as a closed network of queues: a worker gets an item from the server, replays it, gives the result to the server; the one who asked reads it and puts the next
 * one. The server, the one who asked and the link between them do one thing at a time; workers do not wait for each other. Simulated event by event, seeded, with replays that vary by a third.
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
  /** The result on its way from the server to the one who asked. */
  readonly linkMs: number
}

const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]
const ITEMS_EACH = 40

interface Throughput {
  readonly perSecond: number
  /** Which part of the time each was busy. */
  readonly server: number
  readonly asker: number
  readonly link: number
}

/** One that does one thing at a time. */
class Station {
  private free = 0
  constructor(private readonly ms: number) {}

  /** When it is done with what comes at `at`. */
  pass(at: number): number {
    this.free = Math.max(this.free, at) + this.ms
    return this.free
  }
}

export function throughput({ replayMs, serverMs, askerMs, linkMs }: Model, workers: number): Throughput {
  const random = new Random(workers)
  const heap = new Heap<{ readonly at: number; readonly nth: number }>((a, b) => a.at < b.at || (a.at === b.at && a.nth < b.nth))
  const [link, asker, server] = [new Station(linkMs), new Station(askerMs), new Station(serverMs)]
  for (let nth = 0; nth < workers; nth++) heap.push({ at: 0, nth })
  const items = workers * ITEMS_EACH
  for (let done = 0; done < items; done++) {
    const { at, nth } = heap.take()
    // The last result goes to the one who asked, who asks for the next one by way of the server.
    const given = server.pass(asker.pass(link.pass(at)))
    heap.push({ at: given + replayMs * (2 / 3 + (2 / 3) * (random.below(1000) / 1000)), nth })
  }
  let end = 0
  while (heap.size > 0) end = Math.max(end, heap.take().at)
  const busy = (ms: number): number => (items * ms) / end
  return { perSecond: (1000 * items) / end, server: busy(serverMs), asker: busy(askerMs), link: busy(linkMs) }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** A table, and where it bends. */
export function simulated(model: Model): string {
  const rows = [['workers', 'items/s', 'of linear', 'server busy', 'asker busy', 'link busy']]
  const one = throughput(model, 1).perSecond
  let bend = 0
  for (const count of COUNTS) {
    const { perSecond, server, asker, link } = throughput(model, count)
    const share = perSecond / (one * count)
    if (share >= 0.8) bend = count
    rows.push([String(count), perSecond.toFixed(1), ...[share, server, asker, link].map(percent)])
  }
  const limits = { 'the one who asked': model.askerMs, 'the server': model.serverMs, 'the link': model.linkMs }
  const [who, ms] = Object.entries(limits).sort(([, a], [, b]) => b - a)[0]!
  return `80 % of linear up to ${bend} workers; ${who} is the limit, at ${(1000 / ms).toFixed(0)} items/s\n\n${table(rows)}`
}
