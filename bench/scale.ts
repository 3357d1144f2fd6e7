/**
 * How reading and the first, linear half of predicting grow with the trace: generated traces of 100 thousand to 50 million events.
 *
 *   npm run bench:scale [-- SIZES]        SIZES such as 100k 1m 10m 50m; all four unless said
 *
 * Every measurement runs in a process of its own, so that the memory it needed is its own.
 */
import { mkdtempSync, openSync, closeSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileBytes } from '../src/base/file-bytes.ts'
import { Causality } from '../src/causal/causality.ts'
import { MustOrder } from '../src/causal/must-order.ts'
import { Accesses } from '../src/predict/propose/accesses.ts'
import { dataRaces } from '../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../src/predict/propose/group.ts'
import { readTraceFile, writeTrace } from '../src/trace/file.ts'
import { readStd } from '../src/trace/import/std.ts'
import { writeStd } from '../src/trace/import/std-write.ts'
import type { Trace } from '../src/trace/trace.ts'
import { validate } from '../src/trace/validate.ts'
import { generate, scatter, SHAPE } from './generate.ts'
import { fresh, machine, mean, min, spread, table, tell, timed, timedBoth } from './measure.ts'
import { naiveRaces, naiveRead } from './naive.ts'

const SELF = fileURLToPath(import.meta.url)
const SEED = 1
const MOST_MEMORY = 3 * 2 ** 30
const BYTES_PER_EVENT_ON_DISK = 48
/** The peer keeps an object and four strings an event: no further than this. */
const MOST_NAIVE = 2_000_000

type Measured = Record<string, number>

const MEASUREMENTS: Record<string, (folder: string, events: number) => Measured> = {
  write: (folder, events) => {
    const [trace, generated] = timed(() => generate(SEED, { ...SHAPE, events }))
    const [, std] = timed(() => {
      const fd = openSync(join(folder, 'trace.std'), 'w')
      writeStd(trace, (piece) => writeSync(fd, piece))
      closeSync(fd)
    })
    const [, binary] = timed(() => writeTrace(trace, join(folder, 'trace.hdl')))
    return { events: trace.eventCount, generated, std, binary }
  },
  'read STD': (folder) => {
    const [trace, time] = timedBoth(() => readWith(readStd, join(folder, 'trace.std')))
    return { events: trace.eventCount, ...time }
  },
  'read binary': (folder) => {
    const [trace, time] = timedBoth(() => readWith(readTraceFile, join(folder, 'trace.hdl')))
    return { events: trace.eventCount, ...time }
  },
  validate: (folder) => {
    const trace = readWith(readTraceFile, join(folder, 'trace.hdl'))
    const [, time] = timedBoth(() => validate(trace))
    return { events: trace.eventCount, ...time }
  },
  candidates: (folder) => candidatesOf(readWith(readTraceFile, join(folder, 'trace.hdl'))),
  scattered: (_, events) => candidatesOf(scatter(SEED, { ...SHAPE, events })),
  'naive read': (folder) => {
    const [events, time] = timedBoth(() => naiveRead(join(folder, 'trace.std')))
    return { events: events.length, ...time }
  },
  'naive races': (folder) => {
    const events = naiveRead(join(folder, 'trace.std'))
    const [found, time] = timedBoth(() => naiveRaces(events))
    return { events: events.length, ...time, ...found }
  },
}

/** Must-order and the race candidates: every cause, and how many pairs must-order and locks leave open in it. */
function candidatesOf(trace: Trace): Measured {
  const [found, time] = timedBoth(() => {
    const [, sorted] = timed(() => trace.recordedOrder())
    const [causality, causal] = timed(() => new Causality(trace, 'data'))
    const [must, order] = timed(() => new MustOrder(causality))
    const [accesses, gathered] = timed(() => new Accesses(causality))
    let groups = 0
    let open = 0
    const [, counted] = timed(() => {
      for (const group of dataRaces(causality, must, accesses)) {
        groups++
        open += group.open(noneRuledOut()).open
      }
    })
    return { sorted, causal, order, gathered, counted, clocks: must.bytes, groups, open }
  })
  return { events: trace.eventCount, ...time, ...found }
}

function readWith(read: (file: FileBytes) => Trace, path: string): Trace {
  const file = new FileBytes(path)
  try {
    return read(file)
  } finally {
    file.close()
  }
}

const [first, folder, count] = process.argv.slice(2)
if (first === '--measure') tell(MEASUREMENTS[process.argv[5]!]!(folder!, Number(count)))
else main(process.argv.slice(2))

function main(words: readonly string[]): void {
  const sizes = (words.length > 0 ? words : ['100k', '1m', '10m', '50m']).map(sizeOf)
  const space = statfsSync(tmpdir())
  const needed = Math.max(...sizes) * BYTES_PER_EVENT_ON_DISK
  if (space.bavail * space.bsize < needed) throw new Error(`${tmpdir()} has less than the ${(needed / 2 ** 30).toFixed(1)} GiB this needs`)
  console.log(`${machine()}; ${SHAPE.tasks} tasks, ${SHAPE.locks} locks, ${SHAPE.locations} locations, seed ${SEED}`)
  const perEvent = new Map<string, number[]>()
  let over = 0
  for (const events of sizes) {
    const repeats = events <= 200_000 ? 7 : events <= 2_000_000 ? 5 : events <= 20_000_000 ? 2 : 1
    const folder = mkdtempSync(join(tmpdir(), 'heddle-scale-'))
    try {
      const measure = (what: string): Measured & { peak: number } => fresh<Measured>(SELF, ['--measure', folder, String(events), what])
      const written = measure('write')
      const sizeOnDisk = (name: string): string => (statSync(join(folder, name)).size / written['events']!).toFixed(1)
      console.log(
        `\n${written['events']!.toLocaleString('en')} events; written in ${(written['std']! / 1000).toFixed(1)} s as STD (${sizeOnDisk('trace.std')} bytes an event), ` +
          `${(written['binary']! / 1000).toFixed(1)} s as binary (${sizeOnDisk('trace.hdl')})`,
      )
      const rows = [['', 'wall ms: least, mean ± deviation', 'CPU ms', 'million events/CPU s', 'ns/event', 'peak MiB', 'bytes/event']]
      const best = new Map<string, number>()
      let parts = ''
      for (const what of ['read STD', 'read binary', 'validate', 'candidates', 'scattered', 'naive read', 'naive races']) {
        if (what.startsWith('naive') && events > MOST_NAIVE) continue
        const results = Array.from({ length: repeats }, () => measure(what))
        const ms = results.map((r) => r['ms']!)
        const cpu = min(results.map((r) => r['cpu']!))
        const peak = mean(results.map((r) => r.peak))
        const n = results[0]!['events']!
        const empty = 42 * 2 ** 20 // what Node itself takes
        best.set(what, cpu)
        const ns = (cpu * 1e6) / n
        if (!what.startsWith('naive')) perEvent.set(what, [...(perEvent.get(what) ?? []), ns])
        rows.push([
          what,
          spread(ms, 0),
          cpu.toFixed(0),
          (n / cpu / 1000).toFixed(2),
          ns.toFixed(0),
          (peak / 2 ** 20).toFixed(0),
          (Math.max(0, peak - empty) / n).toFixed(1),
        ])
        if (what === 'candidates') {
          const r = results.reduce((a, b) => (a['ms']! < b['ms']! ? a : b))
          const part = (name: string): string => r[name]!.toFixed(0)
          parts =
            `  candidates: recorded order ${part('sorted')}, causality ${part('causal')}, must-order ${part('order')} (${(r['clocks']! / n).toFixed(1)} bytes an event), ` +
            `accesses ${part('gathered')}, groups ${part('counted')} ms; ${r['groups']} groups, ${r['open']} open pairs`
        }
        if (!what.startsWith('naive') && peak > MOST_MEMORY) over++
      }
      console.log(table(rows))
      console.log(parts)
      if (best.has('naive read')) {
        const ratio = (peer: string, ours: string): string => (best.get(peer)! / best.get(ours)!).toFixed(1)
        console.log(
          `  against the naive peer: reading ${ratio('naive read', 'read STD')} times faster, races ${ratio('naive races', 'candidates')} times`,
        )
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (sizes.length > 1) {
    console.log('\nGrowth: CPU ns an event, and how many times that of the size before (1 is linear; Node warming up makes it less)')
    const rows = [['', ...sizes.map((n) => n.toLocaleString('en'))]]
    for (const [what, list] of perEvent) {
      rows.push([what, ...list.map((ns, i) => (i === 0 ? ns.toFixed(0) : `${ns.toFixed(0)} (${(ns / list[i - 1]!).toFixed(2)})`))])
    }
    console.log(table(rows))
  }
  console.log(
    over > 0
      ? `\nOVER ${MOST_MEMORY / 2 ** 30} GiB: ${over} measurements`
      : `\nEvery measurement stayed within ${MOST_MEMORY / 2 ** 30} GiB`,
  )
  if (over > 0) process.exitCode = 1
}

function sizeOf(word: string): number {
  const match = /^(\d+)([km]?)$/i.exec(word)
  if (!match) throw new Error(`${word} is no number of events`)
  return Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase() as '' | 'k' | 'm']
}
