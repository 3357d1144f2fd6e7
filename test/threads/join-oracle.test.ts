/**
 * Joining against real memory: random threads that access real buffers through random views, with stamps made as the recorder makes them. What the
 * joined trace must hold is worked out byte by byte, without borders, tables or codes.
 */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { checkValues } from '../../src/trace/check-values.ts'
import { joinTraces } from '../../src/frontends/workers/join/join.ts'
import { ATOMIC_READ, ATOMIC_WRITE, OPS, READ, UPDATE, WRITE } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { validate } from '../../src/trace/validate.ts'
import { valueText } from '../../src/trace/values.ts'

const SIZE = 16

type Kind = 'i' | 'u' | 'f'
interface Half {
  readonly op: number
  readonly value: number | bigint
  readonly bytes: Uint8Array
}
interface Access {
  readonly task: number
  readonly stamp: number
  readonly step: number
  readonly buffer: number
  readonly offset: number
  readonly size: number
  readonly kind: Kind
  readonly halves: readonly Half[]
}

const VIEWS: readonly (readonly [number, Kind])[] = [
  [1, 'i'],
  [1, 'u'],
  [2, 'i'],
  [2, 'u'],
  [4, 'i'],
  [4, 'u'],
  [4, 'f'],
  [8, 'f'],
  [8, 'i'],
  [8, 'u'],
]

function arrayOver(buffer: ArrayBuffer, offset: number, size: number, kind: Kind): { [0]: number | bigint } {
  const data = buffer.slice(offset, offset + size) // any offset will do in a DataView, but not in a typed array
  const make = {
    '1i': Int8Array,
    '1u': Uint8Array,
    '2i': Int16Array,
    '2u': Uint16Array,
    '4i': Int32Array,
    '4u': Uint32Array,
    '4f': Float32Array,
  }
  const wide = { '8f': Float64Array, '8i': BigInt64Array, '8u': BigUint64Array }
  const View = { ...make, ...wide }[`${size}${kind}` as keyof typeof make | keyof typeof wide]
  return new View(data) as unknown as { [0]: number | bigint }
}

function someValue(random: Random, size: number, kind: Kind): number | bigint {
  if (kind === 'f') return random.pick([0, -0, 1, 0.1, -2.5, 1e300, NaN, Infinity, 3, 2 ** 31])
  if (size === 8) return random.pick([0n, 1n, -1n, 2n ** 63n, 1n << 40n, 123456789012345678n])
  return random.pick([0, 1, 2, -1, 127, 128, 255, 256, 65535, 2 ** 30, 2 ** 31, 2 ** 32 - 1, -(2 ** 31), 305419896])
}

function randomRun(random: Random): { accesses: Access[]; tasks: number } {
  const tasks = 2 + random.below(3)
  const buffers = [new ArrayBuffer(SIZE), new ArrayBuffer(SIZE)]
  // Few views make whole buffers of one size likely, many make cuts.
  const views = Array.from({ length: 1 + random.below(4) }, () => random.pick(VIEWS))
  const aligned = random.chance(0.7)
  const clocks = new Int32Array(2 * SIZE)
  const clock = new Int32Array(tasks)
  const steps = new Int32Array(tasks)
  const accesses: Access[] = []
  for (let n = 4 + random.below(30); n > 0; n--) {
    const task = random.below(tasks)
    const buffer = random.below(2)
    const [size, kind] = random.pick(views)
    const places = aligned ? SIZE / size : SIZE - size + 1
    const offset = random.below(Math.min(places, 4)) * (aligned ? size : 1)
    const bytesOf = (): Uint8Array => new Uint8Array(buffers[buffer]!.slice(offset, offset + size))
    const value = (): number | bigint => arrayOver(buffers[buffer]!, offset, size, kind)[0]
    const store = (): void => {
      const one = arrayOver(new ArrayBuffer(8), 0, size, kind)
      one[0] = someValue(random, size, kind)
      new Uint8Array(buffers[buffer]!).set(new Uint8Array((one as unknown as Uint8Array).buffer, 0, size), offset)
    }
    const half = (op: number): Half => ({ op, value: value(), bytes: bytesOf() })
    const halves: Half[] = []
    const what = random.below(kind === 'f' ? 2 : 5)
    if (what === 0) halves.push(half(READ))
    else if (what === 2) halves.push(half(ATOMIC_READ))
    else {
      if (what === 4) halves.push(half(ATOMIC_READ))
      store()
      halves.push(half(what === 4 ? UPDATE : what === 1 ? WRITE : ATOMIC_WRITE))
    }
    // One clock for the eight bytes around: what overlaps must share one.
    const block = buffer * SIZE + (offset >> 3) * 8
    const last = buffer * SIZE + ((offset + size - 1) >> 3) * 8
    const stamp = Math.max(clock[task]!, clocks[block]!, clocks[last]!) + 1
    clock[task] = clocks[block] = clocks[last] = stamp
    accesses.push({ task, stamp, step: ++steps[task]!, buffer, offset, size, kind, halves })
  }
  return { accesses, tasks }
}

function filesOf({ accesses, tasks }: { accesses: readonly Access[]; tasks: number }): Trace[] {
  return Array.from({ length: tasks }, (_, task) => {
    const builder = new TraceBuilder()
    builder.task(task === 0 ? 'main' : `worker ${task}`)
    for (const a of accesses.filter((one) => one.task === task)) {
      const location = builder.locations.intern(`main#${a.buffer}+${a.offset}:${a.size}${a.kind}`)
      for (const { op, value } of a.halves) builder.add(0, op, location, builder.values.codeOf(value), -1, a.stamp)
    }
    return builder.finish()
  })
}

/** What the joined trace must hold of each task: `step op(name)=value`. */
function expected(accesses: readonly Access[], tasks: number): string[][] {
  const out: string[][] = Array.from({ length: tasks }, () => [])
  const cover = (buffer: number, byte: number): Access[] =>
    accesses.filter((a) => a.buffer === buffer && a.offset <= byte && byte < a.offset + a.size)
  const rangesAt = (buffer: number, byte: number): string =>
    [...new Set(cover(buffer, byte).map((a) => `${a.offset}:${a.size}`))].sort().join()
  const viewsAt = (buffer: number, byte: number): Set<string> => new Set(cover(buffer, byte).map((a) => `${a.offset}:${a.size}${a.kind}`))
  for (const a of accesses) {
    const inBuffer = accesses.filter((other) => other.buffer === a.buffer)
    const whole = inBuffer.every((other) => other.size === a.size && other.offset % a.size === 0)
    for (let from = 0; from < a.size;) {
      let to = from + 1
      while (to < a.size && rangesAt(a.buffer, a.offset + to) === rangesAt(a.buffer, a.offset + from)) to++
      const byte = a.offset + from
      const name = whole ? `main#${a.buffer}[${byte / a.size}]` : `main#${a.buffer}+${byte}:${to - from}`
      if (new Set(cover(a.buffer, byte).map((other) => other.task)).size > 1) {
        const plain = to - from === a.size && viewsAt(a.buffer, byte).size === 1
        for (const { op, value, bytes } of a.halves) {
          const known = !(typeof value === 'number' && Number.isNaN(value))
          const bits = [...bytes.subarray(from, to)].reverse().reduce((sum, b) => sum * 256n + BigInt(b), 0n)
          const text = plain ? valueText(value) : !known ? '' : to - from > 6 ? `${bits}n` : `${bits}`
          out[a.task]!.push(`${a.step} ${OPS[op]!.text}(${name})${text === '' ? '' : `=${text}`}`)
        }
      }
      from = to
    }
  }
  return out
}

test('joined threads hold what real memory held', () => {
  let events = 0
  let cut = 0
  for (let seed = 0; seed < 1500; seed++) {
    const random = new Random(Math.imul(seed + 1, 0x9e3779b1))
    const run = randomRun(random)
    const files = filesOf(run)
    const { trace, steps, notes } = joinTraces(files, 'test')
    expect(notes, `seed ${seed}`).toEqual([])
    expect(checkValues(trace), `seed ${seed}`).toBeUndefined()
    validate(trace)
    const wanted = expected(run.accesses, run.tasks)
    for (let task = 0; task < run.tasks; task++) {
      const t = trace.tables.tasks.find(task === 0 ? 'main' : `worker ${task}`)
      const found: string[] = []
      if (t >= 0) for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) found.push(`${steps.stepOf[e]} ${trace.eventText(e)}`)
      expect(found, `seed ${seed}, task ${task}`).toEqual(wanted[task])
      events += found.length
      cut += found.filter((text) => /\+\d/.test(text)).length
    }
  }
  expect(events).toBeGreaterThan(5000)
  expect(cut).toBeGreaterThan(500)
})
