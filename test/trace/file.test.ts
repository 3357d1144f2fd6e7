import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import { Random } from '../../src/base/random.ts'
import { readTraceFile, TraceFileWriter, writeTrace } from '../../src/trace/file.ts'
import { READ } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { validate } from '../../src/trace/validate.ts'
import { content, HOSTILE, hostileOps, randomTrace } from './random-trace.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-file-'))
afterAll(() => rmSync(dir, { recursive: true }))
const path = join(dir, 't.heddle')

const readBytes = (bytes: Uint8Array): Trace => {
  writeFileSync(path, bytes)
  return readTraceFile(path)
}
const bytesOf = (trace: Trace): Buffer => {
  writeTrace(trace, path)
  return readFileSync(path)
}
/** The trace, or the error's code and fact; anything else fails the test. */
const outcome = (bytes?: Uint8Array): Trace | string => {
  try {
    return bytes ? readBytes(bytes) : readTraceFile(path)
  } catch (error) {
    if (error instanceof HeddleError) return `${error.code}: ${error.fact.replace(path, 'F')}`
    throw error
  }
}
const columns = (n: number, change: Partial<Record<'op' | 'target' | 'value' | 'site' | 'stamp', number[]>> = {}) => ({
  op: Uint8Array.from(change.op ?? Array(n).fill(READ)),
  target: Int32Array.from(change.target ?? Array(n).fill(0)),
  value: Int32Array.from(change.value ?? Array(n).fill(0)),
  site: Int32Array.from(change.site ?? Array(n).fill(-1)),
  stamp: Int32Array.from(change.stamp ?? Array.from({ length: n }, (_, i) => i)),
})
const fileOf = (write: (w: TraceFileWriter) => void): Buffer => {
  const w = new TraceFileWriter(path)
  write(w)
  w.close()
  return readFileSync(path)
}

describe('the binary file', () => {
  test('random traces come back the same, stamps and numbers too', () => {
    for (let seed = 0; seed < 150; seed++) {
      const trace = randomTrace(seed, { hostile: seed % 2 === 1, events: seed, order: seed % 5 === 0 ? 'task' : 'global' })
      const again = readBytes(bytesOf(trace))
      expect(content(again)).toEqual(content(trace))
      expect(again.stamp).toEqual(trace.stamp)
      expect(again.value).toEqual(trace.value)
      expect([...again.tables.tasks]).toEqual([...trace.tables.tasks])
      expect(again.facts).toEqual(trace.facts)
    }
  })

  test('hostile names survive writing and reading', () => {
    for (const name of HOSTILE) expect(content(readBytes(bytesOf(hostileOps(name))))).toEqual(content(hostileOps(name)))
  })

  test('leaves nothing beside the file', () => {
    bytesOf(randomTrace(1))
    expect(readdirSync(dir)).toEqual(['t.heddle'])
    expect(() => writeTrace(randomTrace(1), join(dir, 'no', 'x'))).toThrow(HeddleError)
  })

  test('cut at any byte it is a beginning of the run, or an error about the heading', () => {
    const trace = randomTrace(12, { events: 250 })
    const bytes = bytesOf(trace)
    const all = content(trace) as { events: unknown[] }
    const lengths = new Set<number>()
    for (let cut = bytes.length - 1; cut >= 0; cut--) {
      truncateSync(path, cut)
      const result = outcome()
      if (typeof result === 'string') {
        expect(cut).toBeLessThan(12)
        expect(result).toBe(`file-corrupt: F at byte ${cut}: the file ends inside its heading`)
        continue
      }
      expect(result.facts.truncated).toContain(`ends early, at byte ${cut}`)
      if (lengths.has(result.eventCount)) continue
      expect((content(result) as { events: unknown[] }).events).toEqual(all.events.slice(0, result.eventCount))
      validate(result)
      lengths.add(result.eventCount)
    }
    expect(lengths.size).toBeGreaterThan(3)
    expect(lengths).toContain(trace.eventCount)
  })

  test('a bit flipped anywhere is noticed', () => {
    const trace = randomTrace(12, { hostile: true, events: 30 })
    const bytes = bytesOf(trace)
    // The bytes are changed in place: writing the whole file each time would take most of the test's time.
    const fd = openSync(path, 'r+')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const at = bit >> 3
      writeSync(fd, Buffer.of(bytes[at]! ^ (1 << (bit & 7))), 0, 1, at)
      const result = outcome()
      // The end mark is the last block, and a damaged last block counts as cut off.
      if (typeof result !== 'string') expect([at >= bytes.length - 4, result.facts.truncated === undefined]).toEqual([true, false])
      if ((bit & 7) === 7) writeSync(fd, bytes, at, 1, at)
    }
    closeSync(fd)
  })

  test('zeros at the end are a file that was not filled', () => {
    const bytes = fileOf((w) => w.names('tasks', ['T']))
    expect(readBytes(Buffer.concat([bytes, Buffer.alloc(100)])).facts.truncated).toContain(`after byte ${bytes.length} is lost`)
  })

  test('without marks all whole blocks are kept', () => {
    const bytes = fileOf((w) => {
      w.names('tasks', ['T', 'U'])
      w.names('locations', ['x'])
      w.events(1, columns(3))
      w.events(0, columns(2))
      w.names('locations', ['y'])
      w.events(1, columns(1, { stamp: [7], target: [1] }))
    })
    const trace = readBytes(bytes)
    expect(Array.from(trace.taskStart)).toEqual([0, 2, 6])
    expect(trace.targetName(5)).toBe('y')
    expect(trace.facts).toMatchObject({ order: 'global', branches: false, source: path })
    expect(readBytes(bytes.subarray(0, -1)).eventCount).toBe(5)
  })

  test('what a file claims is checked', () => {
    const events = (n: number, change: Parameters<typeof columns>[1], task = 0): string =>
      outcome(
        fileOf((w) => {
          w.names('tasks', ['T'])
          w.names('locations', ['x'])
          w.events(task, columns(n, change))
          w.end()
        }),
      ) as string
    expect(events(1, { op: [200] })).toBe('file-corrupt: F at byte 70: unknown op 200')
    expect(events(1, { target: [1] })).toContain('a read event has the unknown target 1')
    expect(events(1, { target: [-1] })).toContain('a read event has the unknown target -1')
    expect(events(1, { value: [1] })).toContain('the unknown value 1')
    expect(events(1, { value: [-1] })).toContain('the unknown value -1')
    expect(events(1, { value: [-(2 ** 31)] })).toContain('the unknown value -2147483648')
    expect(events(1, { site: [0] })).toContain('the unknown site 0')
    expect(events(1, { site: [-2] })).toContain('the unknown site -2')
    expect(events(1, { stamp: [-1] })).toContain('stamp -1')
    expect(events(2, { stamp: [5, 4] })).toContain('an event has stamp 4, but 5 came before it')
    expect(events(1, {}, 1)).toContain('events of task 1, which has no name yet')
    expect(outcome(fileOf((w) => w.names('locks', ['a', 'a'])))).toContain('a name stands twice')
    for (const value of ['5', '1.0', 'foo', '"\\u0041"', '', `${'1'.repeat(500)}x`]) {
      expect(outcome(fileOf((w) => w.names('values', [value])))).toContain('not written as Heddle writes values')
    }
  })

  test('a later version, another end, a block too large', () => {
    const bytes = fileOf((w) => w.end())
    expect(outcome(Buffer.concat([bytes, Buffer.from('x')]))).toContain('something follows the end mark')
    bytes.writeUInt32LE(2, 8)
    expect(outcome(bytes)).toContain('file-version: F is a Heddle trace of version 2')
    const head = Buffer.alloc(16)
    head.writeUInt32LE(3, 0)
    head.writeUInt32LE(0xffffffff, 4)
    head.writeUInt32LE(crc32(head.subarray(0, 12)), 12)
    bytes.writeUInt32LE(1, 8)
    expect(outcome(Buffer.concat([bytes.subarray(0, 12), head]))).toContain('a block claims 4294967295 bytes')
  })

  test('garbage with right checksums gives a trace or a HeddleError', () => {
    const random = new Random(9)
    const good = bytesOf(randomTrace(7, { hostile: true, events: 60 }))
    for (let k = 0; k < 1500; k++) {
      const bytes = Buffer.from(good)
      for (let at = 12; at + 16 <= bytes.length;) {
        const length = bytes.readUInt32LE(at + 4)
        const payload = bytes.subarray(at + 16, at + 16 + length)
        if (payload.length > 0 && random.chance(0.1))
          payload[random.below(Math.min(payload.length, random.chance(0.5) ? 12 : 1e9))] = random.below(256)
        if (random.chance(0.02)) bytes.writeUInt32LE(random.below(7), at)
        if (random.chance(0.02)) bytes.writeUInt32LE(random.below(300), at + 4)
        bytes.writeUInt32LE(crc32(payload), at + 8)
        bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 12)), at + 12)
        at += 16 + length
      }
      const result = outcome(bytes)
      if (typeof result !== 'string') content(result)
    }
  })
})
