/**
 * From the files of a native run to a trace: records of eight threads that take locks, count, allocate, hand blocks over and mostly work on memory of their
 * own; and, as the worst case, the same with nothing of their own.
 *
 *   npm run bench:native-read [-- SIZES]      SIZES such as 1m 10m 50m; 1m 10m unless said. A record has 32 bytes on disk
 *
 * The peer only reads the bytes of the files. Every measurement runs in a process of its own.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../src/base/random.ts'
import { KIND } from '../src/frontends/native/kinds.ts'
import { HEAD_BYTES, RECORD_BYTES } from '../src/frontends/threads/record-file.ts'
import { readNativeRun } from '../src/frontends/native/read-run.ts'
import { NATIVE } from '../src/frontends/native/vocabulary.ts'
import { CoverageRow, sumOf } from '../src/coverage.ts'
import { predictThreads } from '../src/predict/threads/predict.ts'
import { fresh, machine, mean, min, table, tell, timedBoth } from './measure.ts'

const SELF = fileURLToPath(import.meta.url)
const SEED = 1
const THREADS = 8
const LOCKS = 64
const GUARDED = 64 // cells of each lock
const HOT = 32 // cells without a lock
const OWN = 1 << 16 // cells of each thread
const PREDICTIONS = 40
const SECONDS = 120
/** Of what threads do, how much is on their own memory: an ordinary program, and the worst case. */
const SHAPES = { usual: 0.97, 'all shared': 0 }

type Measured = Record<string, number>

/** One file, written through a buffer. */
class File {
  private readonly words = new Uint32Array(1 << 16)
  private readonly fd: number
  private filled = 0

  constructor(folder: string, id: number, name: string) {
    this.fd = openSync(join(folder, 'threads', `${name}.raw`), 'w')
    const head = Buffer.alloc(HEAD_BYTES)
    head.write('HDNATIV1', 'latin1')
    head.writeUInt32LE(id, 8)
    head.write(name, 16)
    writeSync(this.fd, head)
  }

  add(kind: number, log: number, pc: number, object: number, value: number, stamp: number): void {
    const { words } = this
    const at = this.filled
    words[at] = kind | (log << 8) | (pc << 16)
    words[at + 1] = pc / 2 ** 16
    words[at + 2] = object
    words[at + 3] = object / 2 ** 32
    words[at + 4] = value
    words[at + 5] = value < 0 ? 0xffffffff : value / 2 ** 32
    words[at + 6] = stamp
    words[at + 7] = stamp / 2 ** 32
    if ((this.filled = at + 8) === words.length) this.flush()
  }

  close(): void {
    this.flush()
    closeSync(this.fd)
  }

  private flush(): void {
    writeSync(this.fd, new Uint8Array(this.words.buffer, 0, this.filled * 4))
    this.filled = 0
  }
}

const CODE = 0x400000
const STATIC = 0x600000
const HEAP = 0x7f0000000000
const PRIVATE = 0x7e0000000000

/** Runs the threads in turns, as stamps would have them. */
class Run {
  records = 0
  private readonly random = new Random(SEED)
  private readonly files: File[]
  private readonly memory = new Int32Array(LOCKS * GUARDED + 2 * HOT)
  private readonly block = new Int32Array(THREADS + 1)
  private clock = 1

  constructor(
    folder: string,
    records: number,
    private readonly own: number,
  ) {
    mkdirSync(join(folder, 'threads'), { recursive: true })
    writeFileSync(join(folder, 'modules'), '')
    this.files = Array.from({ length: THREADS + 1 }, (_, t) => new File(folder, t, t === 0 ? 'main' : `thread ${t}`))
    for (let t = 1; t <= THREADS; t++) {
      this.sync(0, KIND.CREATE, t, 0, 1)
      this.sync(t, KIND.BEGIN, 0, 0, 2)
    }
    while (this.records < records) this.act(1 + this.random.below(THREADS))
    for (let t = 1; t <= THREADS; t++) {
      this.sync(t, KIND.END, 0, 0, 3)
      this.sync(0, KIND.JOIN, t, 0, 4)
    }
    for (const file of this.files) file.close()
  }

  private act(t: number): void {
    const { random } = this
    if (random.chance(this.own)) {
      for (let k = 0; k < 16; k++) {
        const cell = random.below(OWN)
        const writes = random.chance(0.3)
        this.put(t, writes ? KIND.WRITE : KIND.READ, 2, 100 + k, PRIVATE + (t * OWN + cell) * 4, 7, this.clock)
      }
      return
    }
    const what = random.next()
    if (what < 0.8) {
      const lock = random.below(LOCKS)
      this.sync(t, KIND.LOCK, STATIC + lock * 64, 0, 20)
      for (let k = 2 + random.below(6); k > 0; k--) this.access(t, lock * GUARDED + random.below(GUARDED), 30 + random.below(8))
      this.sync(t, KIND.UNLOCK, STATIC + lock * 64, 0, 21)
    } else if (what < 0.95) {
      const cell = LOCKS * GUARDED + random.below(HOT)
      const was = this.memory[cell]!++
      this.sync(t, KIND.ATOMIC_UPDATE, STATIC + 0x10000 + cell * 4, was, 40, 2)
      this.put(t, KIND.UPDATED, 0, 0, 0, was + 1, this.clock)
    } else if (what < 0.97) this.access(t, LOCKS * GUARDED + HOT + random.below(HOT), 50 + random.below(4))
    else {
      const block = HEAP + (t * 64 + (this.block[t]! & 63)) * 256
      this.block[t]!++
      this.sync(t, KIND.ALLOC, block, 200, 60)
      for (let k = 0; k < 8; k++) this.put(t, KIND.WRITE, 3, 61, block + 8 * k, 1, this.clock)
      // Half of them are given back by somebody else.
      const other = random.chance(0.5) ? 1 + random.below(THREADS) : t
      this.sync(t, KIND.LOCK, STATIC, 0, 62)
      this.sync(t, KIND.UNLOCK, STATIC, 0, 63)
      this.sync(other, KIND.LOCK, STATIC, 0, 64)
      this.put(other, KIND.READ, 3, 65, block, 1, this.clock)
      this.sync(other, KIND.UNLOCK, STATIC, 0, 66)
      this.sync(other, KIND.FREE, block, 0, 67)
    }
  }

  private access(t: number, cell: number, line: number): void {
    const address = STATIC + 0x10000 + cell * 4
    if (this.random.chance(0.5)) this.put(t, KIND.READ, 2, line, address, this.memory[cell]!, this.clock)
    else this.sync(t, KIND.WRITE, address, (this.memory[cell] = (this.memory[cell]! + 1) % 1000), line, 2)
  }

  private sync(t: number, kind: number, object: number, value: number, line: number, log = 0): void {
    this.put(t, kind, log, line, object, value, ++this.clock)
  }

  private put(t: number, kind: number, log: number, line: number, object: number, value: number, stamp: number): void {
    this.files[t]!.add(kind, log, CODE + line * 16, object, value, stamp)
    this.records++
  }
}

const MEASUREMENTS: Record<string, (folder: string, records: number, own: number) => Measured> = {
  write: (folder, records, own) => ({ records: new Run(folder, records, own).records }),
  bytes: (folder) => {
    const [n, time] = timedBoth(() => readBytes(folder))
    return { ...time, kept: n / RECORD_BYTES }
  },
  read: (folder) => {
    const [run, time] = timedBoth(() => readNativeRun(folder, { root: '/' }))
    if (run.notes.length > 0) throw new Error(run.notes.join(' '))
    return { ...time, kept: run.counts.events }
  },
  predict: (folder) => {
    const { trace, steps } = readNativeRun(folder, { root: '/' })
    const coverage = new CoverageRow('threads')
    const [found, time] = timedBoth(() => {
      const start = performance.now()
      const options = {
        timers: 'due',
        command: [],
        vocabulary: NATIVE,
        limit: PREDICTIONS,
        deadline: start + SECONDS * 1000,
        coverage,
      } as const
      let predictions = 0
      let first = 0
      for (const _ of predictThreads(trace, steps.stepOf, options)) if (predictions++ === 0) first = performance.now() - start
      return { predictions, first }
    })
    return { ...time, ...found, kept: trace.eventCount, causes: coverage.causes, notLookedAt: sumOf(coverage.notLookedAt) }
  },
}

/** The peer: the bytes, and nothing made of them. */
function readBytes(folder: string): number {
  const buffer = Buffer.alloc(1 << 20)
  let bytes = 0
  for (const name of readdirSync(join(folder, 'threads'))) {
    const fd = openSync(join(folder, 'threads', name), 'r')
    for (let n = 1; n > 0; bytes += n) n = readSync(fd, buffer)
    closeSync(fd)
  }
  return bytes
}

const [first, folder, count, own] = process.argv.slice(2)
if (first === '--measure') tell(MEASUREMENTS[process.argv[6]!]!(folder!, Number(count), Number(own)))
else main(process.argv.slice(2))

function main(words: readonly string[]): void {
  const sizes = (words.length > 0 ? words : ['1m', '10m']).map(sizeOf)
  console.log(`${machine()}; ${THREADS} threads, ${LOCKS} locks, seed ${SEED}`)
  for (const records of sizes) {
    for (const [shape, part] of Object.entries(SHAPES)) measureAll(records, shape, part)
  }
}

function measureAll(records: number, shape: string, part: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-native-'))
  try {
    const measure = (what: string): Measured & { peak: number } =>
      fresh<Measured>(SELF, ['--measure', folder, String(records), String(part), what])
    const written = measure('write')['records']!
    const repeats = records <= 2_000_000 ? 3 : 1
    const rows = [['', 'wall s', 'CPU s', 'million records/CPU s', 'peak MiB', 'bytes/event', 'events kept']]
    const cpu = new Map<string, number>()
    let said = ''
    for (const what of ['bytes', 'read', 'predict']) {
      const results = Array.from({ length: repeats }, () => measure(what))
      const kept = results[0]!['kept']!
      const peak = mean(results.map((r) => r.peak))
      cpu.set(what, min(results.map((r) => r['cpu']!)))
      rows.push([
        what,
        (min(results.map((r) => r['ms']!)) / 1000).toFixed(2),
        (cpu.get(what)! / 1000).toFixed(2),
        (written / cpu.get(what)! / 1000).toFixed(2),
        (peak / 2 ** 20).toFixed(0),
        what === 'bytes' ? '' : (peak / kept).toFixed(0),
        kept.toLocaleString('en'),
      ])
      if (what === 'predict') {
        const { predictions, first: after, causes, notLookedAt } = results[0]!
        said =
          `  ${causes} causes, ${predictions} predictions (at most ${PREDICTIONS}, in ${SECONDS} s), the first after ` +
          `${(after! / 1000).toFixed(1)} s; ${notLookedAt} causes not looked at`
      }
    }
    console.log(`\n${written.toLocaleString('en')} records, ${shape}\n${table(rows)}\n${said}`)
    console.log(`  reading takes ${(cpu.get('read')! / cpu.get('bytes')!).toFixed(1)} times as long as its bytes`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sizeOf(word: string): number {
  const match = /^(\d+)([km]?)$/i.exec(word)
  if (!match) throw new Error(`${word} is no number of records`)
  return Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase() as '' | 'k' | 'm']
}
