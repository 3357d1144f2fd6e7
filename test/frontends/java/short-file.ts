/** The second version of a thread's file (docs/java-format.md) from records of the first one: all but the last few are made short, in blocks. */
import { RECORD_BYTES } from '../../../src/frontends/threads/record-file.ts'

const HEAD_BYTES = 64
const STATE = 56
/** Of a virtual thread: its pieces are the smallest ones. */
const PIECES = [16 * 1024, 128 * 1024, 128 * 1024] as const
const PIECES_BYTES = PIECES[0] + PIECES[1] + PIECES[2]
const SLOTS = 1024

/** Seven bits a byte, the lowest first. */
function number(n: bigint): number[] {
  const bytes: number[] = []
  for (; n > 127n; n >>= 7n) bytes.push(Number(n & 127n) | 128)
  return [...bytes, Number(n)]
}

/** One block. */
export function shortBlock(records: readonly Buffer[]): Buffer {
  const place = new Map<number, number>()
  const rest = new Map<number, number[]>()
  const bytes: number[] = []
  let [slot, step, stamp] = [0, 0, 0n]
  for (const record of records) {
    const now = record.readUInt32LE(0)
    const words = [8, 12, 16, 20].map((at) => record.readUInt32LE(at))
    const numbers: number[] = []
    let flags = 0
    const tell = (flag: number, n: bigint): void => {
      flags |= flag
      numbers.push(...number(n))
    }
    if (now !== (place.get(slot) ?? 0)) tell(1, BigInt(now))
    const before = rest.get(slot) ?? [0, 0, 0, 0]
    for (const [i, word] of words.entries()) if (word !== before[i]) tell(2 << i, BigInt((word ^ before[i]!) >>> 0))
    const steps = (record.readUInt32LE(4) - step) >>> 0
    if (steps !== 1) tell(32, BigInt(steps))
    const later = record.readBigUInt64LE(24) - stamp
    if (later === 1n) flags |= 64
    else if (later !== 0n) tell(128, later)
    bytes.push(flags, ...numbers)
    place.set(slot, now)
    rest.set(slot, words)
    step = record.readUInt32LE(4)
    stamp = record.readBigUInt64LE(24)
    slot = (now ^ (now >>> 10)) & (SLOTS - 1)
  }
  const head = Buffer.alloc(8)
  head.writeUInt32LE(bytes.length, 0)
  head.writeUInt32LE(records.length, 4)
  return Buffer.concat([head, Buffer.from(bytes)])
}

/** `first`: a file of the first version. Its last `open` records stay as they are, in the second piece; the others are in blocks of `block` records. */
export function shortFile(first: Buffer, block: number, open: number): Buffer {
  const records: Buffer[] = []
  for (let at = HEAD_BYTES; at + RECORD_BYTES <= first.length; at += RECORD_BYTES) records.push(first.subarray(at, at + RECORD_BYTES))
  const kept = records.splice(records.length - open)
  const blocks: Buffer[] = []
  while (records.length > 0) blocks.push(shortBlock(records.splice(0, block)))
  const behind = Buffer.concat(blocks)
  const head = Buffer.from(first.subarray(0, HEAD_BYTES))
  head.write('HDJAVA02', 0, 'latin1')
  head[STATE] = 1 | (1 << 1)
  head.writeUInt32LE(behind.length, STATE + 1)
  return withPieces(Buffer.concat([head, behind]), Buffer.concat(kept))
}

/** Pieces, empty but for the records in the second one, between a head and what is behind them. */
export function withPieces(file: Uint8Array, records: Uint8Array = new Uint8Array()): Buffer {
  const pieces = Buffer.alloc(PIECES_BYTES)
  pieces.set(records, PIECES[0])
  return Buffer.concat([file.subarray(0, HEAD_BYTES), pieces, file.subarray(HEAD_BYTES)])
}

/** The head and what is behind the pieces. */
export function withoutPieces(file: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, HEAD_BYTES), file.subarray(HEAD_BYTES + PIECES_BYTES)])
}
