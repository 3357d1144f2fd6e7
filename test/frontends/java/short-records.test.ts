/** Short records: what was made short is read as it was, and what is damaged ends the records. test/fuzz changes them at random. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { JavaThread, readHead } from '../../../src/frontends/java/raw.ts'
import { ShortRecords } from '../../../src/frontends/java/short-records.ts'
import { RECORD_BYTES, WORDS } from '../../../src/frontends/threads/record-file.ts'
import { RUN, writeJavaRun } from './raw-file.ts'
import { shortBlock, shortFile } from './short-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-short-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'blocks')

/** Place, step, object, field, value, stamp. */
type Row = readonly [number, number, number, number, bigint, bigint]

function recordOf([place, step, object, field, value, stamp]: Row): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  for (const [i, word] of [place, step, object, field].entries()) record.writeUInt32LE(word, i * 4)
  record.writeBigUInt64LE(value, 16)
  record.writeBigUInt64LE(stamp, 24)
  return record
}

/** What is read of blocks, `room` records at a time. */
function readBack(bytes: Uint8Array, room = 3): Buffer[] {
  writeFileSync(path, bytes)
  const fd = openSync(path, 'r')
  const blocks = new ShortRecords(0, bytes.length)
  const words = new Uint32Array(room * WORDS)
  const records: Buffer[] = []
  for (let got = blocks.read(fd, words, 0, words.length); got > 0; got = blocks.read(fd, words, 0, words.length))
    for (let at = 0; at < got; at += RECORD_BYTES) records.push(Buffer.from(words.buffer.slice(at, at + RECORD_BYTES)))
  closeSync(fd)
  return records
}

const MOST = 0xffff_ffff
const BY_HAND = (
  [
    [0x101, 1, 5, 1, 7n, 1n],
    [0x102, 2, 5, 1, 8n, 2n],
    [0x101, 3, 5, 1, 9n, 2n],
    [0x102, 3, 6, 1, 1n << 32n, 300n],
    [0x101, 1000, 6, 0, 2n ** 64n - 1n, 2n ** 40n],
    [MOST, MOST, MOST, MOST, 2n ** 63n, 2n ** 53n - 1n],
    [0x101, 0, 0, 0, 0n, 2n ** 53n - 1n],
  ] as const
).map(recordOf)

/** A loop over four places, as programs have them: longer than what is in memory at a time. */
const LOOP = Array.from({ length: 60_000 }, (_, i) =>
  recordOf([(((i % 4) + 1) << 8) | 2, i + 1, 5 + (i % 3), 1, BigInt(i) * 7_919n, BigInt(i * 3)]),
)

test('records are read as they were written, in one block and in several', () => {
  expect(readBack(shortBlock(BY_HAND))).toEqual(BY_HAND)
  expect(readBack(Buffer.concat([shortBlock(BY_HAND), shortBlock(BY_HAND.slice(2)), shortBlock(BY_HAND.slice(5))]), 4)).toEqual([
    ...BY_HAND,
    ...BY_HAND.slice(2),
    ...BY_HAND.slice(5),
  ])
})

test('a long loop is read as it was written, and takes less than a third', () => {
  const blocks = Buffer.concat([shortBlock(LOOP.slice(0, 50_000)), shortBlock(LOOP.slice(50_000))])
  expect(Buffer.concat(readBack(blocks, 1000)).equals(Buffer.concat(LOOP))).toBe(true)
  expect(blocks.length).toBeLessThan((LOOP.length * RECORD_BYTES) / 3)
})

test('a file has the same records in both versions, also when it is read again', () => {
  writeJavaRun(folder, RUN)
  const first = join(folder, 'threads/1.raw')
  const second = join(folder, 'threads/2.raw')
  const all = (thread: JavaThread): unknown[] => {
    const rows: unknown[] = []
    while (thread.advance()) rows.push([thread.kind, thread.pc, thread.step, thread.object, thread.field, thread.value, thread.stamp])
    return rows
  }
  const expected = all(new JavaThread(first, 1, 64))
  expect(expected.length).toBeGreaterThan(10)
  for (const [block, open] of [
    [4, 3],
    [1000, 1],
    [1, 0],
  ] as const) {
    writeFileSync(second, shortFile(readFileSync(first), block, open))
    expect(readHead(second)).toEqual(readHead(first))
    const thread = new JavaThread(second, 1, 4)
    expect(all(thread)).toEqual(expected)
    thread.rewind()
    expect(all(thread)).toEqual(expected)
  }
})

test('a file that ends anywhere has the records before', () => {
  const whole = shortBlock(BY_HAND)
  for (let length = 0; length < whole.length; length++) {
    const records = readBack(whole.subarray(0, length))
    expect(records.length).toBeLessThan(BY_HAND.length)
    expect(records).toEqual(BY_HAND.slice(0, records.length))
  }
})

test('changed bits give other records, or fewer, and an end', () => {
  const whole = Buffer.concat([shortBlock(BY_HAND), shortBlock(BY_HAND)])
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const bytes = Buffer.from(whole)
    bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7))
    expect(readBack(bytes).length).toBeLessThanOrEqual(whole.length)
  }
  const random = new Random(1)
  for (let nth = 0; nth < 300; nth++) {
    const bytes = Buffer.from(Array.from({ length: 200 }, () => random.below(256)))
    expect(readBack(bytes).length).toBeLessThanOrEqual(200)
  }
})
