/**
 * Traces of many workers, end to end: the files of 64 threads, joined, locks recognised, predicted.
 *
 *   npm run bench:workers-scale [-- SIZES]      SIZES such as 100k 1m 10m; 1m 10m unless said
 *
 * The peer joins as one would first: an object for each event, one list, sorted by stamp. Every measurement runs in a process of its own.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../src/base/random.ts'
import { withMadeLocks } from '../src/causal/made-locks.ts'
import { CoverageRow, sumOf } from '../src/coverage.ts'
import { predictThreads } from '../src/predict/threads/predict.ts'
import { WORKERS as WORDS } from '../src/frontends/workers/vocabulary.ts'
import { joinThreads } from '../src/frontends/workers/threads.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { readTraceFile, writeTrace } from '../src/trace/file.ts'
import { ATOMIC_READ, ATOMIC_WRITE, BEGIN, END, FORK, JOIN, NOTIFY, OPS, READ, UPDATE, WAKE, WRITE } from '../src/trace/ops.ts'
import { NONE, type Trace } from '../src/trace/trace.ts'
import { fresh, machine, mean, min, table, tell, timed, timedBoth } from './measure.ts'

const SELF = fileURLToPath(import.meta.url)
const SEED = 1
const WORKERS = 64
const LOCKS = 64
const GUARDED = 64 // cells of each lock
const HOT = 32 // cells without a lock
const PRIVATE = 256 // cells of each worker
const PREDICTIONS = 40
/** As `heddle check --time`: what is not looked at by then is counted. */
const SECONDS = 120
/** An object and its texts for every event: no further than this. */
const MOST_OBJECTS = 2_000_000

type Measured = Record<string, number>

/** Threads that take locks, count, send messages, and now and then forget a lock. Stamps as the recorder makes them. */
class Run {
  private readonly builders = Array.from({ length: WORKERS + 1 }, () => new TraceBuilder())
  private readonly clock = new Int32Array(WORKERS + 1)
  private readonly memory = new Map<string, { clock: number; value: number }>()
  private readonly random = new Random(SEED)
  private messages = new Int32Array(WORKERS + 1)
  events = 0

  constructor(events: number) {
    for (const [t, builder] of this.builders.entries()) builder.task(taskName(t))
    for (let t = 1; t <= WORKERS; t++) {
      this.plain(0, [[FORK, this.builders[0]!.tasks.intern(taskName(t))]])
      this.clock[t] = this.clock[0]!
      this.plain(t, [[BEGIN, NONE]])
    }
    while (this.events < events) this.act(1 + this.random.below(WORKERS))
    for (let t = 1; t <= WORKERS; t++) {
      this.plain(t, [[END, NONE]])
      this.clock[0] = Math.max(this.clock[0]!, this.clock[t]!)
      this.plain(0, [[JOIN, this.builders[0]!.tasks.intern(taskName(t))]])
    }
  }

  traces(): Trace[] {
    return this.builders.map((builder) => builder.finish({ order: 'global' }))
  }

  private act(t: number): void {
    const { random } = this
    const what = random.next()
    if (what < 0.25) {
      for (let k = 0; k < 4; k++) this.access(t, 4, t * PRIVATE + random.below(PRIVATE), random.chance(0.5) ? READ : WRITE, 10 + k)
    } else if (what < 0.85) {
      const lock = random.below(LOCKS)
      this.update(t, 2, lock, 1, 20)
      for (let k = 2 + random.below(4); k > 0; k--)
        this.access(t, 1, lock * GUARDED + random.below(GUARDED), random.chance(0.5) ? READ : WRITE, 30 + random.below(8))
      this.access(t, 2, lock, ATOMIC_WRITE, 21, 0)
    } else if (what < 0.95) this.update(t, 3, random.below(HOT), 1, 40)
    else if (what < 0.98) this.access(t, 3, HOT + random.below(HOT), random.chance(0.7) ? READ : WRITE, 50 + random.below(4))
    else {
      const name = `message ${taskName(t)}:${++this.messages[t]!}`
      this.plain(t, [[NOTIFY, this.builders[t]!.signals.intern(name)]])
      this.clock[0] = Math.max(this.clock[0]!, this.clock[t]!)
      this.plain(0, [[WAKE, this.builders[0]!.signals.intern(name)]])
    }
  }

  private plain(t: number, events: readonly (readonly [number, number])[]): void {
    const stamp = ++this.clock[t]!
    for (const [op, target] of events) this.add(t, op, target, undefined, NONE, stamp)
  }

  private access(t: number, buffer: number, index: number, op: number, line: number, value?: number): void {
    const [cell, text, stamp] = this.cell(t, buffer, index)
    if (op !== READ) cell.value = value ?? (cell.value + 1) % 1000
    this.add(t, op, this.builders[t]!.locations.intern(text), cell.value, this.site(t, line), stamp)
  }

  private update(t: number, buffer: number, index: number, by: number, line: number): void {
    const [cell, text, stamp] = this.cell(t, buffer, index)
    const location = this.builders[t]!.locations.intern(text)
    this.add(t, ATOMIC_READ, location, cell.value, this.site(t, line), stamp)
    cell.value += by
    this.add(t, UPDATE, location, cell.value, this.site(t, line), stamp)
  }

  private cell(t: number, buffer: number, index: number): [{ clock: number; value: number }, string, number] {
    const text = `main#${buffer}+${4 * index}:4i`
    let cell = this.memory.get(text)
    if (!cell) this.memory.set(text, (cell = { clock: 0, value: 0 }))
    this.clock[t] = cell.clock = Math.max(this.clock[t]!, cell.clock) + 1
    return [cell, text, cell.clock]
  }

  private site(t: number, line: number): number {
    return this.builders[t]!.sites.intern(`worker.js:${line}:3`)
  }

  private add(t: number, op: number, target: number, value: number | undefined, site: number, stamp: number): void {
    const builder = this.builders[t]!
    builder.add(0, op, target, value === undefined ? 0 : builder.values.codeOf(value), site, stamp)
    this.events++
  }
}

const taskName = (t: number): string => (t === 0 ? 'main' : `worker ${t}`)

const MEASUREMENTS: Record<string, (folder: string, events: number) => Measured> = {
  write: (folder, events) => {
    mkdirSync(join(folder, 'threads'), { recursive: true })
    const run = new Run(events)
    for (const trace of run.traces()) writeTrace(trace, join(folder, 'threads', `${trace.taskName(0)}.heddle`))
    return { events: run.events }
  },
  join: (folder) => {
    const [joined, time] = timedBoth(() => joinThreads(folder)!)
    if (joined.notes.length > 0) throw new Error(joined.notes.join(' '))
    return { ...time, kept: joined.trace.eventCount }
  },
  predict: (folder) => {
    const { trace, steps } = joinThreads(folder)!
    const coverage = new CoverageRow('threads')
    const [found, time] = timedBoth(() => {
      const [made, locks] = timed(() => withMadeLocks(trace, steps.stepOf))
      let predictions = 0
      let first = 0
      let firstCpu = 0
      const start = performance.now()
      const cpu = process.cpuUsage()
      const options = {
        timers: 'due',
        command: [],
        vocabulary: WORDS,
        limit: PREDICTIONS,
        deadline: start + SECONDS * 1000,
        coverage,
      } as const
      for (const _ of predictThreads(trace, steps.stepOf, options)) {
        if (predictions++ > 0) continue
        first = performance.now() - start
        const { user, system } = process.cpuUsage(cpu)
        firstCpu = (user + system) / 1000
      }
      return { locks, made: made.locks.length, predictions, first, firstCpu }
    })
    return {
      ...time,
      ...found,
      kept: trace.eventCount,
      causes: coverage.causes,
      unknown: sumOf(coverage.unknown),
      notLookedAt: sumOf(coverage.notLookedAt),
    }
  },
  objects: (folder) => {
    const [n, time] = timedBoth(() => joinAsObjects(folder))
    return { ...time, kept: n }
  },
}

/** The peer: sorts objects, merges names by text, leaves out what one task has to itself. It knows nothing of views, waits or steps. */
function joinAsObjects(folder: string): number {
  const events: { task: string; op: string; target: string; value: string; site: string; stamp: number }[] = []
  for (const name of readdirSync(join(folder, 'threads'))) {
    const trace = readTraceFile(join(folder, 'threads', name))
    for (let e = 0; e < trace.eventCount; e++) {
      events.push({
        task: trace.taskName(0),
        op: OPS[trace.op[e]!]!.text,
        target: trace.targetName(e),
        value: trace.tables.values.textOf(trace.value[e]!),
        site: trace.siteName(e),
        stamp: trace.stamp[e]!,
      })
    }
  }
  events.sort((a, b) => a.stamp - b.stamp)
  const users = new Map<string, Set<string>>()
  for (const { target, task } of events) users.set(target, (users.get(target) ?? new Set()).add(task))
  const kept = events.filter(({ target }) => target === '' || users.get(target)!.size > 1)
  const builder = new TraceBuilder()
  for (const { task, op, target, value, site, stamp } of kept) {
    const number = OPS.findIndex((row) => row.text === op)
    const code = value === '' ? 0 : builder.values.codeOf(Number(value))
    builder.add(builder.task(task), number, builder.targetOf(number, target), code, builder.sites.intern(site), stamp)
  }
  writeTrace(builder.finish(), join(folder, 'objects.heddle'))
  return kept.length
}

const [first, folder, count] = process.argv.slice(2)
if (first === '--measure') tell(MEASUREMENTS[process.argv[5]!]!(folder!, Number(count)))
else main(process.argv.slice(2))

function main(words: readonly string[]): void {
  const sizes = (words.length > 0 ? words : ['1m', '10m']).map(sizeOf)
  console.log(`${machine()}; ${WORKERS} workers, ${LOCKS} locks made by hand, seed ${SEED}`)
  for (const events of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-workers-'))
    try {
      const measure = (what: string): Measured & { peak: number } => fresh<Measured>(SELF, ['--measure', folder, String(events), what])
      const written = measure('write')['events']!
      const repeats = events <= 2_000_000 ? 3 : 2
      const rows = [['', 'wall s', 'CPU s', 'million events/CPU s', 'peak MiB', 'events kept']]
      const best = new Map<string, number>()
      let said = ''
      for (const what of ['join', 'predict', 'objects']) {
        if (what === 'objects' && events > MOST_OBJECTS) continue
        const results = Array.from({ length: repeats }, () => measure(what))
        const cpu = min(results.map((r) => r['cpu']!))
        best.set(what, cpu)
        rows.push([
          what,
          (min(results.map((r) => r['ms']!)) / 1000).toFixed(2),
          (cpu / 1000).toFixed(2),
          (written / cpu / 1000).toFixed(2),
          (mean(results.map((r) => r.peak)) / 2 ** 20).toFixed(0),
          results[0]!['kept']!.toLocaleString('en'),
        ])
        if (what === 'predict') {
          const r = results[0]!
          said =
            `  ${r['made']} locks recognised in ${(r['locks']! / 1000).toFixed(2)} s; ${r['causes']} causes, ` +
            `${r['predictions']} predictions (at most ${PREDICTIONS}, in ${SECONDS} s), the first after ${(r['first']! / 1000).toFixed(1)} s (${(r['firstCpu']! / 1000).toFixed(1)} CPU s); ` +
            `${r['unknown']} unknown, ${r['notLookedAt']} causes not looked at`
        }
      }
      console.log(`\n${written.toLocaleString('en')} events\n${table(rows)}\n${said}`)
      if (best.has('objects'))
        console.log(`  joining ${(best.get('objects')! / best.get('join')!).toFixed(1)} times faster than with objects`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function sizeOf(word: string): number {
  const match = /^(\d+)([km]?)$/i.exec(word)
  if (!match) throw new Error(`${word} is no number of events`)
  return Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase() as '' | 'k' | 'm']
}
