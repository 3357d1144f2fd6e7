/**
 * Files of a native run from a text, so that no compiler is needed. A line is a record, in the order in which they happened:
 *
 *   main: create 1
 *   thread 1: begin
 *   thread 1: write 0x1000:4 =5 @0x401010      an access of four bytes, its value, the address of code
 *   main: atomic_update 0x1008:8 =5 >6         read 5, wrote 6
 *   main: read 0x1000:4 =5 ~12 +3              with this stamp, after three steps that were left out
 *
 * Stamps are given as the runtime does it: one counter; reads take it, everything else adds one first. Threads get their numbers in the order of their first
 * lines.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIND } from '../../src/frontends/native/kinds.ts'
import { HEAD_BYTES, RECORD_BYTES } from '../../src/frontends/threads/record-file.ts'

const LINE = /^([^:]+): (\w+)(.*)$/

export class RawRun {
  private readonly threads = new Map<string, { id: number; records: Buffer[] }>()
  private clock = 1

  constructor(text = '') {
    for (const line of text.split('\n')) {
      const clean = line.replace(/#.*/, '').trim()
      if (clean !== '') this.line(clean)
    }
  }

  line(text: string): void {
    const [, name, word, rest] = LINE.exec(text) ?? []
    const kind = KIND[word?.toUpperCase() as keyof typeof KIND]
    if (kind === undefined) throw new Error(`no record: ${text}`)
    const fields = { object: 0n, log: 0, value: 0n, updated: undefined as bigint | undefined, pc: 0n, stamp: -1, skip: 0n }
    for (const token of rest!.split(' ').filter((part) => part !== '')) {
      const what = token.slice(1)
      if (token[0] === '=') fields.value = BigInt(what)
      else if (token[0] === '>') fields.updated = BigInt(what)
      else if (token[0] === '@') fields.pc = BigInt(what)
      else if (token[0] === '~') fields.stamp = Number(what)
      else if (token[0] === '+') fields.skip = BigInt(what)
      else {
        const [object, size = '1'] = token.split(':')
        fields.object = BigInt(object!)
        fields.log = Math.log2(Number(size))
      }
    }
    const reads = kind === KIND.READ || kind === KIND.RANGE_READ
    const stamp = fields.stamp >= 0 ? fields.stamp : reads ? this.clock : ++this.clock
    const thread = this.thread(name!)
    thread.records.push(record(kind, fields.log, fields.object, fields.value, stamp, fields.pc, fields.skip))
    if (fields.updated !== undefined) thread.records.push(record(KIND.UPDATED, 0, 0n, fields.updated, stamp, 0n, 0n))
  }

  /** Cuts the file of a thread after so many bytes of its records. */
  write(folder: string, options: { modules?: string; cut?: Record<string, number>; without?: readonly string[] } = {}): string {
    mkdirSync(join(folder, 'threads'), { recursive: true })
    for (const [name, { id, records }] of this.threads) {
      if (options.without?.includes(name)) continue
      const head = Buffer.alloc(HEAD_BYTES)
      head.write('HDNATIV1', 'latin1')
      head.writeUInt32LE(id, 8)
      head.write(name, 16)
      const body = Buffer.concat(records)
      const cut = options.cut?.[name]
      // The runtime maps whole chunks: zeros follow.
      const bytes = cut === undefined ? Buffer.concat([body, Buffer.alloc(3 * RECORD_BYTES)]) : body.subarray(0, cut)
      writeFileSync(join(folder, 'threads', `${name}.raw`), Buffer.concat([head, bytes]))
    }
    writeFileSync(join(folder, 'modules'), options.modules ?? '')
    return folder
  }

  private thread(name: string): { id: number; records: Buffer[] } {
    let thread = this.threads.get(name)
    if (!thread) this.threads.set(name, (thread = { id: this.threads.size, records: [] }))
    return thread
  }
}

function record(kind: number, log: number, object: bigint, value: bigint, stamp: number, pc: bigint, skip: bigint): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.writeBigUInt64LE(BigInt(kind) | (BigInt(log) << 8n) | (pc << 16n), 0)
  bytes.writeBigUInt64LE(object | (skip << 48n), 8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value), 16)
  bytes.writeBigUInt64LE(BigInt(stamp), 24)
  return bytes
}
