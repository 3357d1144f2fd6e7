/**
 * What a queue costs beside the replays. First the queue itself, in memory and on a NATS server of this machine: an item is put, taken, its result of a given size stored, claimed, acknowledged
 * and loaded. Then a real program with all its classes, by 1, 2 and 4 workers in processes of their own: items per second, and which share of a worker's time was not replaying. At last a model:
 * with the costs that were just measured, as many as 1,000 workers are simulated.
 *
 *   npm run bench:queue [-- ITEMS [model]]      needs nats-server and a C compiler
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '../src/explore/queue/connection.ts'
import { idOf, ITEM_VERSION, type Item } from '../src/explore/queue/item.ts'
import { JetStreamQueue } from '../src/explore/queue/jetstream.ts'
import { MemoryQueue } from '../src/explore/queue/memory.ts'
import type { Queue } from '../src/explore/queue/queue.ts'
import { readResult, workOnce } from '../src/explore/queue/work.ts'
import { orders } from '../test/queue/projects.ts'
import { machine, mean, table } from './measure.ts'
import { simulated } from './queue-model.ts'

const items = Number(process.argv[2] ?? 40)
const SIZES = [1_000, 100_000, 1_000_000, 10_000_000]
const HEDDLE = join(process.cwd(), 'bin/heddle.js')
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-queue-'))
const children: ChildProcess[] = []
const NEVER = new AbortController().signal

async function server(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, 'js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  await new Promise<void>((resolve) => child.stderr.on('data', (piece: Buffer) => piece.includes('Server is ready') && resolve()))
  return `nats://127.0.0.1:${port}`
}

/** Milliseconds for each item, one after the other, from put to loaded. */
async function through(queue: Queue, there: Queue, size: number): Promise<{ ms: number; cpu: number }> {
  const objects = Array.from({ length: Math.min(items, 8) }, () => randomBytes(size))
  const before = process.cpuUsage()
  const start = performance.now()
  for (let nth = 0; nth < items; nth++) {
    const item: Item = { heddle: ITEM_VERSION, kind: 'tests', run: queue.run, nth, name: 'x' }
    await queue.put(item)
    const worker = {
      name: 'bench',
      make: async (): Promise<string> => {
        await there.store(`result-${size}-${nth}`, objects[nth % objects.length]!)
        return `result-${size}-${nth}`
      },
    }
    const waiting = queue.result(idOf(item), NEVER)
    while (!(await workOnce(there, worker, NEVER)));
    const result = readResult((await waiting)!)
    const bytes = 'object' in result ? await queue.load(result.object) : undefined
    if (bytes?.length !== size) throw new Error('the object is another')
  }
  const { user, system } = process.cpuUsage(before)
  return { ms: (performance.now() - start) / items, cpu: (user + system) / 1000 / items }
}

async function queues(url: string): Promise<{ size: number; far: number; cpu: number }[]> {
  const rows = [['bytes of a result', 'in memory, items/s', 'JetStream, items/s', 'ms each', 'CPU ms of the client', 'MB/s']]
  const costs: { size: number; far: number; cpu: number }[] = []
  for (const size of SIZES) {
    const memory = new MemoryQueue()
    const near = await through(memory, memory, size)
    const [a, b] = [await Connection.open(url), await Connection.open(url)]
    const run = `bench${size}`
    const queue = await JetStreamQueue.open(a, run)
    const far = await through(queue, (await JetStreamQueue.join(b, run))!, size)
    await queue.remove()
    await Promise.all([a.close(), b.close()])
    costs.push({ size, far: far.ms, cpu: far.cpu })
    rows.push([
      String(size),
      (1000 / near.ms).toFixed(0),
      (1000 / far.ms).toFixed(1),
      far.ms.toFixed(1),
      far.cpu.toFixed(1),
      ((2 * size) / 1000 / far.ms).toFixed(1),
    ])
  }
  console.log(`The queue itself, ${items} items one after the other, ${machine()}\n\n${table(rows)}\n`)
  return costs
}

interface Measured {
  readonly workers: number
  readonly items: number
  readonly seconds: number
  /** Milliseconds of the worker for an item, and of the replay in it. */
  readonly item: number
  readonly replay: number
  /** Processor milliseconds of the one who asked, for an item. */
  readonly asker: number
}

async function real(url: string, workers: number): Promise<Measured> {
  const project = orders(4)
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
  const connection = await Connection.open(url)
  // Results say how long a worker had the item.
  const times: number[] = []
  const results = connection.nc.subscribe('$KV.heddle_*.done.>', {
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
  return { workers, items: times.length, seconds, item: mean(times), replay, asker: cpu / times.length }
}

try {
  const url = await server()
  const costs = await queues(url)
  const measured: Measured[] = []
  for (const workers of [1, 2, 4]) measured.push(await real(url, workers))
  const [one] = measured as [Measured]
  const rows = [['workers', 'items', 'seconds', 'items/s', 'times one', 'ms of a worker per item', 'CPU ms of the asker per item']]
  for (const m of measured)
    rows.push([
      String(m.workers),
      String(m.items),
      m.seconds.toFixed(1),
      (m.items / m.seconds).toFixed(1),
      (m.items / m.seconds / (one.items / one.seconds)).toFixed(2),
      m.item.toFixed(0),
      m.asker.toFixed(0),
    ])
  console.log(`All 24 classes of a C program, ${machine()}\n\n${table(rows)}\n`)
  const small = costs[0]!
  const cycle = (1000 * one.seconds) / one.items
  const share = (to: number): string => `${Math.max(0, 100 * (1 - to / cycle)).toFixed(0)} %`
  console.log(
    `One worker: an item every ${cycle.toFixed(0)} ms, of which it has it for ${one.item.toFixed(0)} ms; in one process a replay takes ${one.replay.toFixed(0)} ms, one at a time, with all that belongs to it. Not working: ${share(one.item)}; not replaying: ${share(one.replay)}.\n`,
  )
  // The server's share of an item: what a round of the queue takes, less what the client computes itself.
  const costOf = (size: number): number => costs.find((cost) => cost.size === size)!.far
  const models = [
    { name: 'small results (1 kB), replays as measured', replayMs: one.item, serverMs: small.far / 2, askerMs: one.asker },
    { name: 'small results (1 kB), replays of 2 s', replayMs: 2000, serverMs: small.far / 2, askerMs: one.asker },
    { name: 'results of 1 MB, replays of 2 s', replayMs: 2000, serverMs: costOf(1_000_000) / 2, askerMs: one.asker },
    { name: 'test files of 20 s, results of 100 kB', replayMs: 20_000, serverMs: costOf(100_000) / 2, askerMs: 2 },
  ]
  for (const model of models) console.log(`${model.name}: ${simulated(model)}\n`)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
