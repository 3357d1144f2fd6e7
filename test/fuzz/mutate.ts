/** Wrong files from right ones, by a seed: bytes that change, and values of JSON that become others. */
import { crc32 } from 'node:zlib'
import type { Random } from '../../src/base/random.ts'

/** What readers stumble over. */
const TOKENS: readonly string[] = [
  '0',
  '-1',
  '1e308',
  '1e8',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '0.5',
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"__proto__"',
  '"constructor"',
  '__proto__',
  'constructor',
  '\u001b[2J',
  '\u0000',
  '\u202e',
  '\ud800',
  '../../x',
  '\\u',
  '"',
  '(',
  ')',
  '|',
  '\n',
  '\r\n',
  ' '.repeat(200),
  'x'.repeat(5000),
  '['.repeat(300),
]

const NUMBERS: readonly number[] = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

/** One to six changes. */
export function mutatedBytes(good: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let bytes: Buffer = Buffer.from(good)
  for (let left = 1 + random.below(6); left > 0; left--) bytes = change(bytes, random, others)
  return bytes.subarray(0, 1 << 20)
}

function change(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + 1 + random.below(random.chance(0.2) ? 200 : 12))
  const put = (middle: Uint8Array, from = at, to = at): Buffer => Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)])
  switch (random.below(10)) {
    case 0:
      if (at < bytes.length) bytes[at]! ^= 1 << random.below(8)
      return bytes
    case 1:
      if (at < bytes.length) bytes[at] = random.below(256)
      return bytes
    case 2: {
      // A number of four bytes, where such numbers stand.
      const place = at & ~3
      if (place + 4 <= bytes.length) bytes.writeUInt32LE(random.pick(NUMBERS), place)
      return bytes
    }
    case 3:
      return put(Buffer.from(random.pick(TOKENS)))
    case 4:
      return put(Buffer.from(random.pick(TOKENS)), at, end)
    case 5:
      return put(new Uint8Array(), at, end)
    case 6:
      return put(bytes.subarray(at, end))
    case 7:
      return random.chance(0.3) ? bytes.subarray(0, at) : put(Uint8Array.from({ length: random.below(8) }, () => random.below(256)))
    case 8: {
      const other = random.pick(others)
      const from = random.below(other.length + 1)
      return put(other.subarray(from, from + random.below(60)))
    }
    default:
      return textNumber(bytes, random)
  }
}

/** Another number where one is written. */
function textNumber(bytes: Buffer, random: Random): Buffer {
  if (bytes.length > 20_000) return bytes
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(/\d+/g)]
  if (found.length === 0) return bytes
  const { index, 0: digits } = random.pick(found)
  const other = random.pick([...TOKENS.slice(0, 8), ...NUMBERS.map(String)])
  return Buffer.from(`${text.slice(0, index)}${other}${text.slice(index + digits.length)}`, 'latin1')
}

const [FILE_HEAD, BLOCK_HEAD] = [12, 16]

/** A trace file with blocks that hold other bytes, and checksums that are right: they get past the first look. */
export function mutatedBlocks(good: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const blocks: { kind: number; payload: Buffer }[] = []
  for (let at = FILE_HEAD; at + BLOCK_HEAD <= good.length;) {
    const length = good.readUInt32LE(at + 4)
    blocks.push({ kind: good.readUInt32LE(at), payload: good.subarray(at + BLOCK_HEAD, at + BLOCK_HEAD + length) })
    at += BLOCK_HEAD + length
  }
  for (let left = 1 + random.below(3); left > 0; left--) {
    const nth = random.below(blocks.length)
    const block = blocks[nth]!
    const which = random.next()
    if (which < 0.1) blocks.splice(random.below(blocks.length + 1), 0, block)
    else if (which < 0.15) blocks.splice(nth, 1)
    else if (which < 0.2) block.kind = random.below(8)
    else if (which < 0.75) block.payload = overwritten(block.payload, random)
    else block.payload = change(Buffer.from(block.payload), random, others)
    if (blocks.length === 0) return good.subarray(0, FILE_HEAD)
  }
  return Buffer.concat([good.subarray(0, FILE_HEAD), ...blocks.flatMap(({ kind, payload }) => [headOf(kind, payload), payload])])
}

function headOf(kind: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(BLOCK_HEAD)
  head.writeUInt32LE(kind, 0)
  head.writeUInt32LE(payload.length, 4)
  head.writeUInt32LE(crc32(payload), 8)
  head.writeUInt32LE(crc32(head.subarray(0, 12)), 12)
  return head
}

/** Of the same length: small numbers above all, which stand for other names, ops and values. */
function overwritten(payload: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length === 0) return bytes
  const at = random.below(bytes.length)
  if (random.chance(0.5)) bytes[at] = random.chance(0.7) ? random.below(80) : random.below(256)
  else if ((at & ~3) + 4 <= bytes.length) bytes.writeUInt32LE(random.chance(0.6) ? random.below(12) : random.pick(NUMBERS), at & ~3)
  return bytes
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const VALUES: readonly (() => Json)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 5,
  () => 0.5,
  () => 1e8,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => '',
  () => '__proto__',
  () => 'constructor',
  () => '../../package',
  () => '\u001b[31m\u0007',
  () => 'a\u0000b\nc',
  () => 'x'.repeat(3000),
  () => [],
  () => ({}),
  () => [[]],
  () => ({ length: 3 }),
  () => JSON.parse('{"__proto__":{"a":1}}') as Json,
]

/** One to four values that become others. */
export function mutatedJson(text: string, random: Random): string {
  const root = { it: JSON.parse(text) as Json }
  for (let left = 1 + random.below(4); left > 0; left--) changeValue(root, random)
  return JSON.stringify(root.it) ?? ''
}

function changeValue(root: { it: Json }, random: Random): void {
  let holder: Json[] | Record<string, Json> = root
  let key: string | number = 'it'
  for (;;) {
    const value: Json | undefined = (holder as Record<string, Json>)[key]
    if (typeof value !== 'object' || value === null || random.chance(0.15)) break
    const keys: string[] = Object.keys(value)
    if (keys.length === 0) break
    holder = value
    key = Array.isArray(value) ? Number(random.pick(keys)) : random.pick(keys)
  }
  const place = holder as Record<string, Json>
  switch (random.below(6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else if (holder !== root) delete place[key]
      return
    case 1:
      if (Array.isArray(holder) && holder.length < 1000) holder.push(...structuredClone(holder.slice(0, 3)))
      else if (holder !== root) place[random.pick(['__proto__', 'constructor', 'extra', 'toString'])] = random.pick(VALUES)()
      return
    case 2:
    case 3: {
      // One of the same type: it gets further.
      const kind = typeof place[key]
      const same = VALUES.map((value) => value()).filter((value) => typeof value === kind)
      place[key] = random.pick(same.length === 0 ? [null] : same)
      return
    }
    default:
      place[key] = random.pick(VALUES)()
  }
}
