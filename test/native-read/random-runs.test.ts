/**
 * Random programs of several threads, run one step at a time, written as files and read back: what is shared is in the trace and nothing else, in the order
 * in which it happened, with the values that were there. What is shared is found here byte by byte, the slow way.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { KIND } from '../../src/frontends/native/kinds.ts'
import { readNativeRun } from '../../src/frontends/native/read-run.ts'
import { isAccess, isWrite } from '../../src/trace/ops.ts'
import { NOT_OBSERVED } from '../../src/trace/values.ts'
import { sized } from '../layer.ts'
import { RawRun } from './raw-file.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'heddle-native-random-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

interface Access {
  readonly task: number
  readonly step: number
  readonly from: number
  readonly size: number
  readonly writes: boolean
  readonly isCopy: boolean
  readonly value: number
  readonly at: number
}

const HEAP = 0x10000
const SLOTS = 3
const SLOT = 32

/** A run that happened: its file, and what every step did. */
class Simulated {
  readonly raw = new RawRun()
  readonly accesses: Access[] = []
  /** Which life of its heap block an address is in, by access. */
  readonly life: number[] = []
  private readonly memory = new Map<number, number>()
  private readonly steps: number[]
  private readonly lives = Array.from({ length: SLOTS }, () => 0)
  private readonly owner = [-1, -1]
  private readonly holds: Set<number>[]
  private at = 0

  constructor(
    private readonly random: Random,
    tasks: number,
    length: number,
    private readonly jitter: number,
  ) {
    this.steps = Array.from({ length: tasks }, () => 0)
    this.holds = Array.from({ length: tasks }, () => new Set<number>())
    for (let t = 1; t < tasks; t++) {
      this.line(0, `create ${t}`)
      this.line(t, 'begin')
    }
    for (let i = 0; i < length; i++) this.step(random.below(tasks))
    for (let t = 1; t < tasks; t++) this.line(t, 'end')
  }

  private line(task: number, text: string): void {
    this.steps[task]!++
    this.at++
    this.raw.line(`${task === 0 ? 'main' : `thread ${task}`}: ${text}`)
  }

  private step(task: number): void {
    const { random } = this
    const what = random.next()
    if (what < 0.15) {
      const lock = random.below(2)
      if (this.owner[lock] === -1) {
        this.owner[lock] = task
        this.holds[task]!.add(lock)
        this.line(task, `lock ${0x500 + 8 * lock}`)
      } else if (this.owner[lock] === task) {
        this.owner[lock] = -1
        this.line(task, `unlock ${0x500 + 8 * lock}`)
      }
    } else if (what < 0.25) {
      const slot = random.below(SLOTS)
      const block = HEAP + slot * SLOT
      if (this.lives[slot]! % 2 === 0) this.line(task, `alloc ${block} =${SLOT} @0x401000`)
      else {
        this.line(task, `free ${block}`)
        this.accesses.push({ task, step: this.steps[task]!, from: block, size: SLOT, writes: true, isCopy: true, value: 0, at: this.at })
        this.life.push(this.lives[slot]!)
      }
      this.lives[slot]!++
    } else this.access(task, what)
  }

  private access(task: number, what: number): void {
    const { random } = this
    const slot = random.below(SLOTS)
    const size = what < 0.3 ? 1 + random.below(24) : 1 << random.below(4)
    const from = HEAP + slot * SLOT + (what < 0.35 ? random.below(SLOT - size + 1) : size * random.below(SLOT / size))
    const writes = random.chance(0.4)
    const isCopy = what < 0.3
    let value = 0
    if (!isCopy) {
      // What is in there, little by little: a value for each byte.
      const all = Array.from({ length: size }, (_, i) => (writes ? random.below(4) : (this.memory.get(from + i) ?? 0)))
      value = Number(all.reduceRight((n, byte) => n * 256n + BigInt(byte), 0n))
      if (writes) for (const [i, byte] of all.entries()) this.memory.set(from + i, byte)
      const wrong = random.chance(this.jitter) ? 1 : 0
      this.line(task, `${writes ? 'write' : 'read'} ${from}:${size} =${value + wrong}`)
    } else {
      if (writes) for (let i = 0; i < size; i++) this.memory.set(from + i, random.below(4))
      this.line(task, `${writes ? 'range_write' : 'range_read'} ${from} =${size}`)
    }
    this.accesses.push({ task, step: this.steps[task]!, from, size, writes, isCopy, value, at: this.at })
    this.life.push(this.lives[slot]!)
  }
}

/** Per access: does it touch a location that two tasks touch and one writes? Bytes that one plain access touches are one location. */
function sharedOnes({ accesses, life }: Simulated): boolean[] {
  // A life ends when the block is given back.
  const byte = (i: number, b: number): string => `${b}/${life[i]! >> 1}`
  const root = new Map<string, string>()
  const find = (x: string): string => (root.get(x) === undefined || root.get(x) === x ? x : find(root.get(x)!))
  const isFree = (a: Access): boolean => a.isCopy && a.size === SLOT
  for (const [i, a] of accesses.entries()) {
    if (isFree(a)) continue
    for (let b = a.from; b < a.from + a.size; b++) {
      // Of a copy, the bytes at its ends belong together; those of whole words do not.
      const word = b - (b % 8)
      if (a.isCopy && word >= a.from && word + 8 <= a.from + a.size) continue
      // The reader goes by eight bytes at a time: an access across is one location on each side.
      const first = Math.max(a.from, word)
      root.set(find(byte(i, b)), find(byte(i, first)))
      if (!root.has(byte(i, b))) root.set(byte(i, b), find(byte(i, b)))
    }
  }
  const users = new Map<string, { tasks: Set<number>; written: boolean }>()
  for (const [i, a] of accesses.entries()) {
    for (let b = a.from; b < a.from + a.size; b++) {
      if (a.isCopy && !root.has(byte(i, b))) continue
      const key = find(byte(i, b))
      const user = users.get(key) ?? { tasks: new Set(), written: false }
      user.tasks.add(a.task)
      user.written ||= a.writes
      users.set(key, user)
    }
  }
  return accesses.map((a, i) => {
    if (isFree(a)) return false
    for (let b = a.from; b < a.from + a.size; b++) {
      const user = root.has(byte(i, b)) ? users.get(find(byte(i, b))) : undefined
      if (user && user.tasks.size > 1 && user.written) return true
    }
    return false
  })
}

const RUNS = sized(40, 400)

test('random runs are read back as they were written', () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const random = new Random(seed)
    const run = new Simulated(random, 2 + random.below(3), 10 + random.below(60), 0)
    const { trace, steps, counts } = readNativeRun(run.raw.write(join(FOLDER, String(seed))), { root: '/' })
    expect(counts.takenBack + counts.moved, `seed ${seed}`).toBe(0)
    const atOf = new Map(run.accesses.map((a) => [`${a.task}.${a.step}`, a]))
    const found = new Set<string>()
    let [lastWrite, last] = [0, 0]
    for (const e of trace.recordedOrder()) {
      if (!isAccess(trace.op[e]!)) continue
      const key = `${trace.taskOf(e)}.${steps.stepOf[e]}`
      const access = atOf.get(key)
      expect(access, `seed ${seed}`).toBeDefined()
      expect(isWrite(trace.op[e]!), `seed ${seed} ${key}`).toBe(access!.writes)
      // Reads of one stamp have no order.
      expect(access!.at, `seed ${seed} ${key}`).toBeGreaterThanOrEqual(access!.writes ? last : lastWrite)
      last = Math.max(last, access!.at)
      if (access!.writes) lastWrite = access!.at
      if (trace.value[e] !== NOT_OBSERVED && access!.value < 2 ** 30)
        expect(trace.tables.values.textOf(trace.value[e]!), `seed ${seed} ${key}`).toBe(String(access!.value))
      found.add(key)
    }
    const isShared = sharedOnes(run)
    for (const [i, a] of run.accesses.entries()) {
      const key = `${a.task}.${a.step}`
      if (a.isCopy) continue
      // Two reads of the same in a row count once.
      if (isShared[i] !== found.has(key)) expect(isShared[i] && isRepeated(run.accesses, i), `seed ${seed} step ${key}`).toBe(true)
    }
  }
})

/** Is it a read, and does the same thread read the same again before it does anything else that is shared? */
function isRepeated(accesses: readonly Access[], i: number): boolean {
  const a = accesses[i]!
  if (a.writes) return false
  return accesses.some((b, k) => k > i && b.task === a.task && b.from === a.from && b.size === a.size && !b.writes)
}

test('random runs with wrong values, cut files and missing threads give a trace that is a run', () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const random = new Random(10_000 + seed)
    const run = new Simulated(random, 2 + random.below(3), 10 + random.below(60), 0.3)
    const cut = { main: random.below(2000), 'thread 1': random.below(2000) }
    const options = { ...(random.chance(0.5) ? { cut } : {}), ...(random.chance(0.2) ? { without: ['thread 1'] } : {}) }
    // It checks its result by itself: `validate`, and that every read sees what was last written.
    expect(() => readNativeRun(run.raw.write(join(FOLDER, `wrong${seed}`), options), { root: '/' }), `seed ${seed}`).not.toThrow()
  }
})

const MEMORY = ['read', 'write', 'atomic_read', 'atomic_write', 'atomic_update', 'range_read', 'range_write', 'alloc', 'free']

test('any records at all give a trace that is a run', () => {
  const kinds = Object.keys(KIND)
    .map((kind) => kind.toLowerCase())
    .filter((kind) => !['info', 'updated', 'skip'].includes(kind))
  for (let seed = 0; seed < RUNS; seed++) {
    const random = new Random(20_000 + seed)
    const raw = new RawRun('main: yield')
    for (let i = 20 + random.below(150); i > 0; i--) {
      const kind = random.pick(random.chance(0.5) ? MEMORY : kinds)
      const task = random.below(4)
      const object = kind === 'create' || kind === 'join' ? random.below(5) : 0x1000 + 4 * random.below(20)
      const value = kind === 'wait' ? 0x1000 + 4 * random.below(20) : random.below(6)
      const stamp = random.chance(0.1) ? ` ~${random.below(200)}` : ''
      raw.line(`${task === 0 ? 'main' : `thread ${task}`}: ${kind} ${object}:${1 << random.below(5)} =${value}${stamp}`)
    }
    expect(() => readNativeRun(raw.write(join(FOLDER, `any${seed}`)), { root: '/' }), `seed ${seed}`).not.toThrow()
  }
})
