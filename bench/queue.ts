/**
 * What a queue costs beside the replays. First the queue itself, in memory and on a NATS server of this machine: an item is put, taken, its result of a given size stored, claimed, acknowledged
 * and loaded. Then a real program with all its classes, by 1 to 8 workers in processes of their own: items per second, processor time, and which share of a worker's time was not replaying. At last a
 * model: with the processor times that were just measured, as many as 1,000 workers are simulated.
 *
 *   npm run bench:queue [-- ITEMS]      needs nats-server and a C compiler
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '../src/explore/queue/connection.ts'
import { idOf, ITEM_VERSION, type Item } from '../src/explore/queue/item.ts'
import { JetStreamQueue } from '../src/explore/queue/jetstream.ts'
import { MemoryQueue } from '../src/explore/queue/memory.ts'
import type { Queue } from '../src/explore/queue/queue.ts'
import { readResult, workOnce, type Worker } from '../src/explore/queue/work.ts'
import { orders } from '../test/queue/projects.ts'
import { machine, mean, table } from './measure.ts'
import { simulated, type Model } from './queue-model.ts'

const items = Number(process.argv[2] ?? 40)
const SIZES = [1_000, 100_000, 1_000_000, 10_000_000]
const HEDDLE = join(process.cwd(), 'bin/heddle.js')
/** A link of 1 Gbit/s between the server and the one who asked. */
const linkMs = (bytes: number): number => bytes / 125_000
/** Whoever asks for test files reads a summary of each. Not measured: a guess on the high side. */
const ASKER_OF_TESTS_MS = 5
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-queue-'))
const children: ChildProcess[] = []
const NEVER = new AbortController().signal
let natsPid = 0

async function server(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, 'js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  natsPid = child.pid!
  await new Promise<void>((resolve) => child.stderr.on('data', (piece: Buffer) => piece.includes('Server is ready') && resolve()))
  return `nats://127.0.0.1:${port}`
}

interface Cost {
  readonly ms: number
  /** Processor milliseconds of the client, both ends, and of the server. */
  readonly cpu: number
  readonly server: number
}

/** For each item, from put to loaded, `atOnce` of them at the same time. */
async function through(queue: Queue, there: Queue, size: number, atOnce: number): Promise<Cost> {
  const objects = Array.from({ length: Math.min(items, 8) }, () => randomBytes(size))
  const worker = (name: string): Worker => ({
    name,
    make: async ({ nth }): Promise<string> => {
      const object = `result-${size}-${atOnce}-${nth}`
      await there.store(object, objects[nth % objects.length]!)
      return object
    },
  })
  const stop = new AbortController()
  const workers = Array.from({ length: atOnce }, async (_, i) => {
    while (!stop.signal.aborted) await workOnce(there, worker(`w${i}`), stop.signal)
  })
  let next = 0
  const ask = async (): Promise<void> => {
    while (next < items) {
      const item: Item = { heddle: ITEM_VERSION, kind: 'tests', run: queue.run, nth: next++ + items * atOnce, name: 'x' }
      await queue.put(item)
      const result = readResult((await queue.result(idOf(item), NEVER))!)
      const bytes = 'object' in result ? await queue.load(result.object) : undefined
      if (bytes?.length !== size) throw new Error('the object is another')
    }
  }
  const [before, server] = [process.cpuUsage(), cpuOf(natsPid)]
  const start = performance.now()
  await Promise.all(Array.from({ length: atOnce }, ask))
  const ms = (performance.now() - start) / items
  const { user, system } = process.cpuUsage(before)
  const cost = { ms, cpu: (user + system) / 1000 / items, server: (cpuOf(natsPid) - server) / items }
  stop.abort()
  await Promise.all(workers)
  return cost
}

const AT_ONCE = 16

async function queues(url: string): Promise<(Cost & { readonly size: number })[]> {
  const rows = [
    [
      'bytes of a result',
      'in memory, items/s',
      'JetStream, items/s',
      `${AT_ONCE} at once`,
      'ms each',
      'CPU ms client',
      'CPU ms server',
      'load',
    ],
  ]
  const costs: (Cost & { readonly size: number })[] = []
  for (const size of SIZES) {
    const memory = new MemoryQueue()
    const near = await through(memory, memory, size, 1)
    const [a, b] = [await Connection.open(url), await Connection.open(url)]
    const run = `bench${size}`
    const queue = await JetStreamQueue.open(a, run)
    const there = (await JetStreamQueue.join(b, run))!
    const far = await through(queue, there, size, 1)
    const many = await through(queue, there, size, AT_ONCE)
    await queue.remove()
    await Promise.all([a.close(), b.close()])
    costs.push({ size, ...many, ms: far.ms })
    rows.push([
      String(size),
      (1000 / near.ms).toFixed(0),
      (1000 / far.ms).toFixed(1),
      (1000 / many.ms).toFixed(1),
      far.ms.toFixed(1),
      many.cpu.toFixed(1),
      many.server.toFixed(1),
      loadavg()[0]!.toFixed(0),
    ])
  }
  console.log(`The queue itself, ${items} items, ${machine()}\n\n${table(rows)}\n`)
  return costs
}

interface Measured {
  readonly workers: number
  readonly items: number
  readonly seconds: number
  /** Milliseconds of the worker for an item, and of the replay in it. */
  readonly item: number
  readonly replay: number
  /** Processor milliseconds of the one who asked, of workers with what they start, and of the server, for an item. */
  readonly asker: number
  readonly worker: number
  readonly server: number
  readonly load: number
}

/** Processor milliseconds so far, with those of children that have ended. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * [11, 12, 13, 14].reduce((sum, nth) => sum + Number(fields[nth]), 0)
}

async function real(url: string, workers: number, threads = 4): Promise<Measured> {
  const project = orders(threads)
  const { here } = project
  const started: ChildProcess[] = []
  for (let i = 0; i < workers; i++) {
    const cwd = project.copy()
    const child = spawn(process.execPath, [HEDDLE, 'worker', '--queue', url, '--allow', './order'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(child)
    started.push(child)
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  }
  const before = { workers: started.map(({ pid }) => cpuOf(pid!)), server: cpuOf(natsPid) }
  const connection = await Connection.open(url)
  // Results say how long a worker had the item.
  const times: number[] = []
  const results = connection.nc.subscribe('$KV.*.done.>', {
    callback: (error, message) => {
      if (error) return
      const result = readResult(message.string())
      if ('ms' in result) times.push(result.ms)
    },
  })
  const child = spawn(
    '/usr/bin/env',
    [
      'bash',
      '-c',
      `time "$0" "$@"`,
      process.execPath,
      HEDDLE,
      'check',
      '--json',
      '--queue',
      url,
      '--exhaustive',
      '--time',
      '600',
      '--',
      './order',
    ],
    {
      cwd: here,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let [out, err] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  const seconds = (JSON.parse(out) as { seconds: number }).seconds
  const cpu = ['user', 'sys'].reduce((sum, name) => {
    const [, minutes, rest] = new RegExp(`${name}\\s+(\\d+)m([\\d.]+)s`).exec(err) ?? []
    return sum + Number(minutes ?? 0) * 60_000 + Number(rest ?? 0) * 1000
  }, 0)
  const worker = started.reduce((sum, { pid }, i) => sum + cpuOf(pid!) - before.workers[i]!, 0)
  const server = cpuOf(natsPid) - before.server
  const load = loadavg()[0]!
  results.unsubscribe()
  await connection.close()
  for (const one of started) one.kill('SIGTERM')
  await Promise.all(started.map((one) => new Promise((resolve) => one.once('exit', resolve))))
  // A replay by itself: the same program under the same kind of schedule, in one process.
  let replay = NaN
  if (workers === 1) {
    const json = JSON.parse(
      execFileSync(process.execPath, [HEDDLE, 'check', '--json', '--exhaustive', '--time', '600', '--at-once', '1', '--', './order'], {
        cwd: here,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { seconds: number; replays: number }
    replay = (1000 * json.seconds) / json.replays
  }
  project.end()
  const each = (all: number): number => all / times.length
  return {
    workers,
    items: times.length,
    seconds,
    item: mean(times),
    replay,
    asker: each(cpu),
    worker: each(worker),
    server: each(server),
    load,
  }
}

try {
  const url = await server()
  const costs = await queues(url)
  const measured: Measured[] = []
  for (const workers of [1, 2, 4, 8]) measured.push(await real(url, workers))
  const [one, two] = measured as [Measured, Measured]
  // A larger program: what an item more costs, without what a check costs once.
  const large = await real(url, 2, 5)
  const slope = (of: (m: Measured) => number): number => (of(large) * large.items - of(two) * two.items) / (large.items - two.items)
  const more = { asker: slope((m) => m.asker), worker: slope((m) => m.worker), server: slope((m) => m.server) }
  const rows = [
    ['workers', 'items', 'seconds', 'items/s', 'times one', 'ms of a worker', 'CPU ms: worker', 'asker', 'server', 'load'],
    ...measured.map((m) => [
      String(m.workers),
      String(m.items),
      m.seconds.toFixed(1),
      (m.items / m.seconds).toFixed(1),
      (m.items / m.seconds / (one.items / one.seconds)).toFixed(2),
      m.item.toFixed(0),
      m.worker.toFixed(0),
      m.asker.toFixed(0),
      m.server.toFixed(1),
      m.load.toFixed(0),
    ]),
  ]
  console.log(`All classes of a C program with four threads, ${machine()}\n\n${table(rows)}\n`)
  console.log(
    `Five threads, two workers: ${large.items} items in ${large.seconds.toFixed(1)} s, load ${large.load.toFixed(0)}. An item more costs ${more.asker.toFixed(0)} CPU ms of the asker, ${more.worker.toFixed(0)} of a worker, ${more.server.toFixed(1)} of the server.\n`,
  )
  const cycle = (1000 * one.seconds) / one.items
  const share = (to: number): string => `${Math.max(0, 100 * (1 - to / cycle)).toFixed(0)} %`
  console.log(
    `One worker: an item every ${cycle.toFixed(0)} ms, of which it has it for ${one.item.toFixed(0)} ms; in one process a replay takes ${one.replay.toFixed(0)} ms, one at a time, with all that belongs to it. Not working: ${share(one.item)}; not replaying: ${share(one.replay)}.\n`,
  )
  // Of what a client computes for an item one half is the worker's, the other that of the one who asked.
  const modelOf = (replayMs: number, size: number, askerMs = more.asker): Model => {
    const { cpu, server } = costs.find((cost) => cost.size === size)!
    return { replayMs, serverMs: Math.max(more.server, server), askerMs: askerMs + cpu / 2, linkMs: linkMs(size) }
  }
  const models = [
    { name: 'replays as measured, results of 1 kB', ...modelOf(one.item, 1_000) },
    { name: 'replays of 2 s, results of 100 kB', ...modelOf(2000, 100_000) },
    { name: 'replays of 2 s, results of 10 MB', ...modelOf(2000, 10_000_000) },
    { name: 'test files of 20 s, results of 100 kB', ...modelOf(20_000, 100_000, ASKER_OF_TESTS_MS) },
  ]
  for (const model of models) console.log(`${model.name}: ${simulated(model)}\n`)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
