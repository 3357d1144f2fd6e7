/**
 * The binary trace file: reader and writer. A magic number and a version, then blocks with checksums; docs/trace-format.md has the layout
 * and its changelog.
 *
 * The reader goes over the file twice: once over the block headings, to know how many events each task has, then over the payloads,
 * copying columns to their final place. So a trace is in memory once, and no number in the file makes the reader take more memory
 * than the file is long.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writevSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { FileBytes } from '../base/file-bytes.ts'
import { sharedInt32, sharedUint8 } from '../base/grow.ts'
import { Names } from '../base/names.ts'
import { isNearlyFull } from '../base/room.ts'
import { cutTasks } from './cut.ts'
import { fileBadVersion, fileCorrupt, fileNotSeekable, traceUnwritable } from './errors.ts'
import { checkEvents, nameFrom, nameProblem, type EventColumns } from './file-checks.ts'
import { BRANCH } from './ops.ts'
import { openBytes } from './open-bytes.ts'
import { Trace, type OrderKind, type TraceColumns, type TraceFacts, type TraceTables } from './trace.ts'
import { Values } from './values.ts'

export const MAGIC = Buffer.from('\x89HEDDLE\n', 'latin1')
const VERSION = 1
const FILE_HEAD = 12
const BLOCK_HEAD = 16
/** No block is larger: a reader needs this much beside the trace. */
const LARGEST_PAYLOAD = 1 << 26
const EVENTS_PER_BLOCK = 1 << 16
const NAME_BYTES_PER_BLOCK = 1 << 20

const FACTS = 1
const NAMES = 2
const EVENTS = 3
const MARK = 4
const END = 5

/** Positions are the numbers of the tables in the file. */
const TABLES = ['tasks', 'locations', 'locks', 'signals', 'queues', 'names', 'sites', 'values'] as const
export type TableName = (typeof TABLES)[number]

export interface FileFacts {
  order: OrderKind
  /** Undefined: as the events say. */
  branches?: boolean | undefined
  source?: string | undefined
}

/** Writes blocks one after another; what has been written stays readable whatever happens to the writing process. */
export class TraceFileWriter {
  private readonly fd: number
  private events_ = 0
  private closed = false

  /** `leavesRoom`: it fails already when the disk is nearly full, so that others can still write. */
  constructor(
    private readonly path: string,
    private readonly leavesRoom = false,
  ) {
    this.fd = this.attempt(() => openSync(path, 'w'))
    const head = Buffer.alloc(FILE_HEAD)
    MAGIC.copy(head)
    head.writeUInt32LE(VERSION, 8)
    this.write([head])
  }

  facts(facts: FileFacts): void {
    const flags = Buffer.from([facts.order === 'task' ? 1 : 0, facts.branches === undefined ? 2 : Number(facts.branches), 0, 0])
    this.block(FACTS, [flags, encodeName(facts.source ?? '')])
  }

  /** Adds names to a table, after those it has. An event may only use names written before it. */
  names(table: TableName, fresh: Iterable<string>): void {
    let parts: Buffer[] = []
    let bytes = 0
    const flush = (): void => {
      const head = Buffer.alloc(8)
      head.writeUInt32LE(TABLES.indexOf(table), 0)
      head.writeUInt32LE(parts.length, 4)
      if (parts.length > 0) this.block(NAMES, [head, Buffer.concat(parts)])
      parts = []
      bytes = 0
    }
    for (const name of fresh) {
      const encoded = encodeName(name)
      parts.push(encoded)
      bytes += encoded.length
      if (bytes > NAME_BYTES_PER_BLOCK) flush()
    }
    flush()
  }

  /** Adds events to a task, after those it has. */
  events(task: number, columns: EventColumns): void {
    const total = columns.op.length
    if (this.leavesRoom && isNearlyFull(this.path)) throw traceUnwritable(this.path, 'the disk is nearly full')
    for (let from = 0; from < total; from += EVENTS_PER_BLOCK) {
      const to = Math.min(total, from + EVENTS_PER_BLOCK)
      const head = Buffer.alloc(8)
      head.writeUInt32LE(task, 0)
      head.writeUInt32LE(to - from, 4)
      const parts = [columns.stamp, columns.target, columns.value, columns.site, columns.op].map((c) => bytesOf(c.subarray(from, to)))
      this.block(EVENTS, [head, ...parts])
    }
    this.events_ += total
  }

  /** Promises that all events with stamps up to this one have been written: a file cut short after here is read up to this stamp. */
  mark(stamp: number): void {
    const payload = Buffer.alloc(4)
    payload.writeInt32LE(stamp)
    this.block(MARK, [payload])
  }

  end(): void {
    const payload = Buffer.alloc(4)
    payload.writeUInt32LE(this.events_)
    this.block(END, [payload])
    this.close()
  }

  /** Waits for the disk: before a file takes the place of another one. A run does not: a file that is cut short can be read, and waiting takes longer than many a program. */
  sync(): void {
    this.attempt(() => fsyncSync(this.fd))
  }

  /** Without an end mark: what was written is readable, and is said to be cut short. */
  close(): void {
    if (this.closed) return
    this.closed = true
    closeSync(this.fd)
  }

  private block(kind: number, parts: Buffer[]): void {
    const head = Buffer.alloc(BLOCK_HEAD)
    let length = 0
    let crc = 0
    for (const part of parts) {
      length += part.length
      crc = crc32(part, crc)
    }
    head.writeUInt32LE(kind, 0)
    head.writeUInt32LE(length, 4)
    head.writeUInt32LE(crc, 8)
    head.writeUInt32LE(crc32(head.subarray(0, 12)), 12)
    this.write([head, ...parts])
  }

  private write(parts: Buffer[]): void {
    this.attempt(() => {
      let rest = parts.filter((part) => part.length > 0)
      while (rest.length > 0) {
        let written = writevSync(this.fd, rest)
        while (rest.length > 0 && written >= rest[0]!.length) written -= rest.shift()!.length
        if (written > 0) rest = [rest[0]!.subarray(written), ...rest.slice(1)]
      }
    })
  }

  private attempt<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      throw traceUnwritable(this.path, (error as Error).message)
    }
  }
}

/** Writes the whole trace beside `path`, then puts it in place: a reader sees the old file or the new one. */
export function writeTrace(trace: Trace, path: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  const writer = new TraceFileWriter(temporary)
  try {
    writer.facts(trace.facts)
    for (const table of TABLES) writer.names(table, table === 'values' ? trace.tables.values.table : trace.tables[table])
    writeEvents(trace, writer)
    writer.sync()
    writer.end()
    try {
      renameSync(temporary, path)
    } catch (error) {
      throw traceUnwritable(path, (error as Error).message)
    }
  } finally {
    writer.close()
    rmSync(temporary, { force: true })
  }
}

/** In windows of stamps with a mark after each, so that a file cut short is still a beginning of the run. */
function writeEvents(trace: Trace, writer: TraceFileWriter): void {
  const { taskStart, op, target, value, site, stamp, taskCount, eventCount } = trace
  let first = Infinity
  let last = -1
  for (let t = 0; t < taskCount; t++) {
    if (taskStart[t] === taskStart[t + 1]) continue
    first = Math.min(first, stamp[taskStart[t]!]!)
    last = Math.max(last, stamp[taskStart[t + 1]! - 1]!)
  }
  if (eventCount === 0) return
  const ordered = trace.facts.order === 'global'
  const perWindow = Math.min(Math.max(eventCount / 16, 64), 8 * EVENTS_PER_BLOCK)
  const windows = ordered ? Math.ceil(eventCount / perWindow) : 1
  if (ordered) writer.mark(-1)
  const next = taskStart.slice(0, taskCount)
  for (let w = 1; w <= windows; w++) {
    const bound = w === windows ? last : first + Math.floor(((last - first) * w) / windows)
    for (let t = 0; t < taskCount; t++) {
      const from = next[t]!
      const to = firstAfter(stamp, from, taskStart[t + 1]!, bound)
      if (to === from) continue
      const part = <A extends Int32Array | Uint8Array>(column: A): A => column.subarray(from, to) as A
      writer.events(t, { op: part(op), target: part(target), value: part(value), site: part(site), stamp: part(stamp) })
      next[t] = to
    }
    if (ordered) writer.mark(bound)
  }
}

function firstAfter(stamp: Int32Array, from: number, to: number, bound: number): number {
  if (from < to && stamp[from]! > bound) return from
  while (from < to) {
    const mid = (from + to) >>> 1
    if (stamp[mid]! <= bound) from = mid + 1
    else to = mid
  }
  return from
}

interface Plan {
  /** Byte after the last block worth reading. */
  readonly end: number
  readonly truncated: string | undefined
  /** Events of each task, by the headings. */
  readonly counts: number[]
  readonly longest: number
}

export function readTraceFile(from: string | FileBytes): Trace {
  const file = typeof from === 'string' ? openBytes(from) : from
  try {
    return new Reader(file).read()
  } finally {
    file.close()
  }
}

class Reader {
  private readonly source: string
  private readonly size: number
  private readonly window = Buffer.allocUnsafeSlow(1 << 14)
  private windowAt = 0
  private windowLength = 0

  constructor(private readonly file: FileBytes) {
    this.source = file.path
    if (file.size === undefined) throw fileNotSeekable(this.source)
    this.size = file.size
  }

  read(): Trace {
    this.version()
    const plan = this.plan()
    const tables = emptyTables()
    const columns = room(plan.counts)
    const filled = columns.taskStart.slice(0, plan.counts.length)
    const payload = Buffer.from(new ArrayBuffer(plan.longest))
    let facts: TraceFacts = { source: this.source, order: 'global', branches: false, truncated: undefined }
    let branchesSaid = false
    let truncated = plan.truncated
    let mark: number | undefined
    let events = 0
    for (let at = FILE_HEAD; at < plan.end;) {
      const head = this.at(at, BLOCK_HEAD)!
      const kind = head.readUInt32LE(0)
      const length = head.readUInt32LE(4)
      const crc = head.readUInt32LE(8)
      const start = at + BLOCK_HEAD
      if (this.file.readAt(payload, length, start) < length) throw this.corrupt(at, 'the file became shorter while it was read')
      const body = payload.subarray(0, length)
      if (crc32(body) !== crc) {
        if (start + length < this.size) throw this.corrupt(at, 'the checksum of a block is wrong')
        truncated = this.lost(at)
        break
      }
      if (kind === FACTS) {
        const said = this.readFacts(body, at)
        branchesSaid = said.branches !== undefined
        facts = { source: said.source || this.source, order: said.order, branches: said.branches ?? false, truncated: undefined }
      } else if (kind === NAMES) this.readNames(body, at, tables)
      else if (kind === EVENTS) events += this.readEvents(payload, at, tables, columns, filled)
      else if (kind === MARK) mark = body.readInt32LE(0)
      else if (kind === END && body.readUInt32LE(0) !== events) throw this.corrupt(at, 'the end mark counts other events than the file has')
      at = start + length
    }
    let whole: TraceColumns = columns
    if (truncated !== undefined) {
      const bound = facts.order === 'global' ? mark : undefined
      whole = cutTasks(columns, filled, tables.tasks.size, bound)
    }
    const branches = branchesSaid ? facts.branches : whole.op.includes(BRANCH)
    return new Trace(whole, tables, { ...facts, branches, truncated })
  }

  private version(): void {
    const head = this.at(0, FILE_HEAD)
    if (!head) throw this.corrupt(this.size, 'the file ends inside its heading')
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw this.corrupt(0, 'the file does not begin like a Heddle trace')
    const version = head.readUInt32LE(8)
    if (version !== VERSION) throw fileBadVersion(this.source, version)
  }

  /** Walks the headings. Sizes are checked against the file here, before anything is allocated for them. */
  private plan(): Plan {
    const counts: number[] = []
    let tasks = 0
    let longest = 0
    let at = FILE_HEAD
    for (;;) {
      const head = this.at(at, BLOCK_HEAD)
      // A file that was given its length beforehand ends in zeros.
      if (!head || head.equals(ZEROS)) return { end: at, truncated: this.lost(at), counts: padded(counts, tasks), longest }
      if (crc32(head.subarray(0, 12)) !== head.readUInt32LE(12)) throw this.corrupt(at, 'the heading of a block is damaged')
      const kind = head.readUInt32LE(0)
      const length = head.readUInt32LE(4)
      if (length > LARGEST_PAYLOAD) throw this.corrupt(at, `a block claims ${length} bytes, more than any block has`)
      const next = at + BLOCK_HEAD + length
      if (next > this.size) return { end: at, truncated: this.lost(at), counts: padded(counts, tasks), longest }
      longest = Math.max(longest, length)
      if (kind === NAMES || kind === EVENTS) {
        const lead = length < 8 ? undefined : this.at(at + BLOCK_HEAD, 8)
        if (!lead) throw this.corrupt(at, 'a block is too short')
        const id = lead.readUInt32LE(0)
        const count = lead.readUInt32LE(4)
        if (kind === NAMES) {
          if (id >= TABLES.length || count * 4 > length - 8) throw this.corrupt(at, 'a block of names has a wrong size or table')
          if (id === 0) tasks += count
        } else {
          if (count * 17 !== length - 8) throw this.corrupt(at, 'a block of events has a wrong size')
          if (id >= tasks) throw this.corrupt(at, `events of task ${id}, which has no name yet`)
          while (counts.length <= id) counts.push(0)
          counts[id]! += count
        }
      } else if (kind === MARK || kind === END || kind === FACTS) {
        if (kind === FACTS ? length < 8 : length !== 4) throw this.corrupt(at, 'a block has a wrong size')
      } else throw this.corrupt(at, `unknown kind of block ${kind}`)
      if (kind === END) {
        if (next < this.size) throw this.corrupt(next, 'something follows the end mark')
        return { end: next, truncated: undefined, counts: padded(counts, tasks), longest }
      }
      at = next
    }
  }

  private readFacts(body: Buffer, at: number): FileFacts {
    const [order, branches] = body
    const source = nameFrom(body, 4)
    if (order! > 1 || branches! > 2 || source === undefined) throw this.corrupt(at, 'the facts about the trace cannot be read')
    return { order: order === 1 ? 'task' : 'global', branches: branches === 2 ? undefined : branches === 1, source: source.name }
  }

  private readNames(body: Buffer, at: number, tables: TraceTables): void {
    const kind = TABLES[body.readUInt32LE(0)]!
    const count = body.readUInt32LE(4)
    let place = 8
    for (let k = 0; k < count; k++) {
      const read = nameFrom(body, place)
      const problem = read ? nameProblem(tables, kind, read.name) : 'a name is longer than its block'
      if (problem !== undefined) throw this.corrupt(at + BLOCK_HEAD + place, problem)
      place = read!.end
    }
    if (place !== body.length) throw this.corrupt(at + BLOCK_HEAD + place, 'something follows the last name of a block')
  }

  private readEvents(payload: Buffer, at: number, tables: TraceTables, columns: TraceColumns, filled: Int32Array): number {
    const task = payload.readUInt32LE(0)
    const count = payload.readUInt32LE(4)
    const ints = (k: number): Int32Array => new Int32Array(payload.buffer, 8 + 4 * k * count, count)
    const part: EventColumns = {
      stamp: ints(0),
      target: ints(1),
      value: ints(2),
      site: ints(3),
      op: new Uint8Array(payload.buffer, 8 + 16 * count, count),
    }
    const to = filled[task]!
    const problem = checkEvents(part, tables, to > columns.taskStart[task]! ? columns.stamp[to - 1]! : 0)
    if (problem !== undefined) throw this.corrupt(at, problem)
    columns.stamp.set(part.stamp, to)
    columns.target.set(part.target, to)
    columns.value.set(part.value, to)
    columns.site.set(part.site, to)
    columns.op.set(part.op, to)
    filled[task] = to + count
    return count
  }

  /** A few bytes of the file, or undefined when it has not that many. Headings lie close together when blocks are small. */
  private at(position: number, length: number): Buffer | undefined {
    if (position + length > this.size) return undefined
    if (position < this.windowAt || position + length > this.windowAt + this.windowLength) {
      this.windowAt = position
      this.windowLength = this.file.readAt(this.window, this.window.length, position)
      if (this.windowLength < length) return undefined
    }
    return this.window.subarray(position - this.windowAt, position - this.windowAt + length)
  }

  private lost(at: number): string {
    return `The file ends early, at byte ${this.size}; what came after byte ${at} is lost`
  }

  private corrupt(at: number, what: string): Error {
    return fileCorrupt(this.source, at, what)
  }
}

const ZEROS = Buffer.alloc(BLOCK_HEAD)

/** Length in bytes, then UTF-8; strings that are no Unicode (lone surrogates) as UTF-16 with the top bit of the length set. */
function encodeName(name: string): Buffer {
  // Most names are short and plain: their letters are their bytes.
  if (isAscii(name)) {
    const plain = Buffer.allocUnsafe(4 + name.length)
    plain.writeUInt32LE(name.length)
    plain.write(name, 4, 'latin1')
    return plain
  }
  const utf8 = Buffer.from(name, 'utf8')
  const exact = !utf8.includes('\ufffd') || utf8.toString('utf8') === name
  const bytes = exact ? utf8 : Buffer.from(name, 'utf16le')
  const head = Buffer.alloc(4)
  head.writeUInt32LE((bytes.length | (exact ? 0 : 2 ** 31)) >>> 0)
  return Buffer.concat([head, bytes])
}

function isAscii(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 127) return false
  return true
}

const bytesOf = (column: Int32Array | Uint8Array): Buffer => Buffer.from(column.buffer, column.byteOffset, column.byteLength)

function padded(counts: number[], tasks: number): number[] {
  while (counts.length < tasks) counts.push(0)
  return counts
}

function emptyTables(): TraceTables {
  const [tasks, locations, locks, signals, queues, names, sites] = Array.from({ length: 7 }, () => new Names()) as [
    Names,
    Names,
    Names,
    Names,
    Names,
    Names,
    Names,
  ]
  return { tasks, locations, locks, signals, queues, names, sites, values: new Values() }
}

function room(counts: number[]): TraceColumns {
  const taskStart = sharedInt32(counts.length + 1)
  for (let t = 0; t < counts.length; t++) taskStart[t + 1] = taskStart[t]! + counts[t]!
  const n = taskStart[counts.length]!
  return { taskStart, op: sharedUint8(n), target: sharedInt32(n), value: sharedInt32(n), site: sharedInt32(n), stamp: sharedInt32(n) }
}
