/**
 * Reads RAPID's STD format: one event a line, `task|op(target)|site`, in recorded order. Heddle's additions (values, headings, more ops)
 * are in docs/trace-format.md; the writer stands in std-write.ts.
 *
 * The reader works on bytes: task, `op(target)` and site are, in all but a few lines, texts seen before, and what they mean is worked out
 * once per distinct text. No string is made for an event.
 */
import { isUtf8 } from 'node:buffer'
import { ByteNames } from '../../base/byte-names.ts'
import type { FileBytes } from '../../base/file-bytes.ts'
import { GrowInt32 } from '../../base/grow.ts'
import type { Names } from '../../base/names.ts'
import { TraceBuilder } from '../builder.ts'
import { stdBadEvent, stdBadHeader, stdLineTooLong, stdNoField, stdUnknownOp, tooManyEvents, tooManyNames } from '../errors.ts'
import { openBytes } from '../open-bytes.ts'
import { ACQUIRE, OPS, RELEASE } from '../ops.ts'
import { targetOptional } from '../target-rule.ts'
import { NONE, type OrderKind, type Trace } from '../trace.ts'
import { NOT_OBSERVED } from '../values.ts'
import { addWait, Held } from '../waits.ts'
import { unescapeName } from './std-escape.ts'
import { valueCode } from './value-code.ts'

const LONGEST_LINE = 1 << 20
const MOST_LINES = 2 ** 31 - 2
/** A JavaScript Map holds no more than this. */
const MOST_NAMES = 2 ** 24 - 8

const NEWLINE_BYTE = 10

/** Stands for `wait` in the op column of the event texts; not an op of a trace. */
const WAIT = 255
const opByText = new Map<string, number>([...OPS.map((row, op): [string, number] => [row.text, op]), ['wait', WAIT]])
const opHasValue = Uint8Array.from(OPS, (row) => (row.hasValue ? 1 : 0))

/** Of the distinct texts of one field. */
const MOST_NAME_BYTES = 2 ** 31 - 2 ** 22

/** Distinct byte strings of one field, each with the number it stands for. */
class Field {
  readonly bytes = new ByteNames()
  readonly meaning = new GrowInt32()
}

export class StdReader {
  private readonly builder = new TraceBuilder()
  private readonly held = new Held()
  private readonly taskField = new Field()
  private readonly siteField = new Field()
  private readonly valueField = new Field()
  /**
   * Texts such as `r(x)`, and for each (op, target, lock) side by side. The lock is that of `wait(g,l)`; NONE for `wait(g)`, whose lock is
   * the one named like the signal.
   */
  private readonly events = new ByteNames()
  private readonly eventMeaning = new GrowInt32()
  private line = 0
  /** A line whose end has not come yet. */
  private rest: Buffer = Buffer.alloc(0)
  private order: OrderKind = 'global'
  private branches: boolean | undefined
  private escaped = false

  constructor(private readonly source: string) {}

  /** Takes the next bytes of the file. The buffer may be used again afterwards. */
  push(chunk: Uint8Array): void {
    let from = 0
    if (this.rest.length > 0) {
      const end = chunk.indexOf(NEWLINE_BYTE) + 1
      const taken = end === 0 ? chunk.length : end
      this.keep(chunk, 0, taken)
      if (end === 0) return
      const whole = this.rest
      this.rest = Buffer.alloc(0)
      this.lines(whole, 0, whole.length)
      from = end
    }
    const last = chunk.lastIndexOf(NEWLINE_BYTE) + 1
    if (last > from) this.lines(chunk, from, last)
    this.keep(chunk, Math.max(from, last), chunk.length)
  }

  finish(): Trace {
    if (this.rest.length > 0) this.push(Buffer.from('\n'))
    const { source, order, branches } = this
    return this.builder.finish(branches === undefined ? { source, order } : { source, order, branches })
  }

  private keep(chunk: Uint8Array, from: number, to: number): void {
    if (this.rest.length + to - from > LONGEST_LINE) throw stdLineTooLong(this.source, this.line + 1, LONGEST_LINE)
    if (to > from) this.rest = Buffer.concat([this.rest, chunk.subarray(from, to)])
  }

  /** Reads whole lines; the last byte is a newline, so that no loop below needs to look at the end. */
  private lines(b: Uint8Array, from: number, to: number): void {
    // Constants of the function itself: those of a module are loaded from memory each time.
    const NEWLINE = 10
    const RETURN = 13
    const HASH = 35
    const CLOSE = 41
    const EQUALS = 61
    const BAR = 124
    const view = new DataView(b.buffer, b.byteOffset, b.byteLength)
    const { taskField, siteField, events, eventMeaning, builder } = this
    let i = from
    if (this.line === 0 && b[i] === 0xef && b[i + 1] === 0xbb && b[i + 2] === 0xbf) i += 3 // byte order mark
    while (i < to) {
      const start = i
      const line = ++this.line
      let c = b[i]!
      if (c !== HASH) while (c !== BAR && c !== NEWLINE) c = b[++i]!
      if (c !== BAR) {
        i = b.indexOf(NEWLINE, i) + 1
        this.oddLine(b, start, i - 1)
        continue
      }
      let name = taskField.bytes.find(b, view, start, i)
      if (name < 0) name = this.newName(taskField, builder.tasks, b, start, i)
      const task = taskField.meaning.at(name)

      const eventFrom = ++i
      while ((c = b[i]!) !== BAR && c !== NEWLINE) {
        if (c === EQUALS && b[i - 1] === CLOSE) break
        if (c === RETURN && b[i + 1] === NEWLINE) break
        i++
      }
      let event = events.find(b, view, eventFrom, i)
      if (event < 0) event = this.newEvent(b, eventFrom, i)
      const op = eventMeaning.at(3 * event)
      const target = eventMeaning.at(3 * event + 1)

      let value = NOT_OBSERVED
      if (c === EQUALS) {
        const valueFrom = ++i
        while ((c = b[i]!) !== BAR && c !== NEWLINE && !(c === RETURN && b[i + 1] === NEWLINE)) i++
        if (op === WAIT || opHasValue[op] === 0 || i === valueFrom) throw stdBadEvent(this.source, line, textOf(b, eventFrom, i))
        value = this.value(b, view, valueFrom, i)
      }

      let site = NONE
      if (c === BAR) {
        const siteFrom = ++i
        while ((c = b[i]!) !== NEWLINE && !(c === RETURN && b[i + 1] === NEWLINE)) i++
        if (i > siteFrom) {
          name = siteField.bytes.find(b, view, siteFrom, i)
          if (name < 0) name = this.newName(siteField, builder.sites, b, siteFrom, i)
          site = siteField.meaning.at(name)
        }
      }
      i += c === RETURN ? 2 : 1
      if (i - start > LONGEST_LINE) throw stdLineTooLong(this.source, line, LONGEST_LINE)
      if (line > MOST_LINES) throw tooManyEvents(this.source, MOST_LINES)

      if (op === WAIT) {
        const named = eventMeaning.at(3 * event + 2)
        const lock = named === NONE ? builder.locks.find(builder.signals.at(target)) : named
        addWait(builder, this.held, task, target, lock, site, line, this.source)
        continue
      }
      if (op === ACQUIRE) this.held.acquire(task, target)
      else if (op === RELEASE) this.held.release(task, target)
      builder.add(task, op, target, value, site, line)
    }
  }

  /** A comment, a heading, a blank line, or a mistake. */
  private oddLine(b: Uint8Array, from: number, to: number): void {
    const text = textOf(b, from, Math.min(to, from + 200)).trim()
    if (text === '' && to - from <= 200) return
    if (!text.startsWith('#')) throw stdNoField(this.source, this.line, text)
    const heading = /^#\s*heddle:\s*(.*)$/.exec(text)
    if (!heading || this.builder.eventCount > 0) return
    const words = heading[1]!.split(/\s+/).join(' ')
    if (words === 'order task') this.order = 'task'
    else if (words === 'branches recorded') this.branches = true
    else if (words === 'branches none') this.branches = false
    else if (words === 'escapes') this.escaped = true
    else throw stdBadHeader(this.source, this.line, text)
  }

  private name(b: Uint8Array, from: number, to: number): string {
    const text = textOf(b, from, to)
    return this.escaped ? unescapeName(text) : text
  }

  private newName(field: Field, table: Names, b: Uint8Array, from: number, to: number): number {
    field.meaning.push(this.intern(table, this.name(b, from, to)))
    return this.remember(field.bytes, b, from, to)
  }

  private remember(texts: ByteNames, b: Uint8Array, from: number, to: number): number {
    if (texts.byteLength > MOST_NAME_BYTES) throw tooManyNames(this.source, texts.size)
    return texts.add(b, from, to)
  }

  private intern(table: Names, name: string): number {
    if (table.size >= MOST_NAMES) throw tooManyNames(this.source, MOST_NAMES)
    return table.intern(name)
  }

  private newEvent(b: Uint8Array, from: number, to: number): number {
    const text = textOf(b, from, to)
    const open = text.indexOf('(')
    const op = opByText.get(open < 0 ? text : text.slice(0, open))
    if (op === undefined) throw stdUnknownOp(this.source, this.line, open < 0 ? text : text.slice(0, open))
    if (open >= 0 && !text.endsWith(')')) throw stdBadEvent(this.source, this.line, text)
    let target = NONE
    let lock = NONE
    const inside = open < 0 ? '' : text.slice(open + 1, -1)
    const named = (part: string): string => (this.escaped ? unescapeName(part) : part)
    if (op === WAIT) {
      const comma = inside.lastIndexOf(',')
      if (open < 0) throw stdBadEvent(this.source, this.line, text)
      target = this.intern(this.builder.signals, named(comma < 0 ? inside : inside.slice(0, comma)))
      if (comma >= 0) lock = this.intern(this.builder.locks, named(inside.slice(comma + 1)))
    } else {
      const table = this.builder.table(OPS[op]!.target)
      if (inside === '' && targetOptional[op]) target = NONE
      else if (open < 0) throw stdBadEvent(this.source, this.line, text)
      else if (table) target = this.intern(table, named(inside))
    }
    this.eventMeaning.push(op)
    this.eventMeaning.push(target)
    this.eventMeaning.push(lock)
    return this.remember(this.events, b, from, to)
  }

  private value(b: Uint8Array, view: DataView, from: number, to: number): number {
    const MINUS = 45
    const ZERO = 48
    const NINE = 57
    const digits = b[from] === MINUS ? from + 1 : from
    if (to - digits <= 9 && to > digits) {
      let n = 0
      let i = digits
      for (; i < to; i++) {
        const c = b[i]!
        if (c < ZERO || c > NINE) break
        n = n * 10 + c - ZERO
      }
      if (i === to && (digits === from || n !== 0)) return this.builder.values.codeOf(digits === from ? n : -n)
    }
    let name = this.valueField.bytes.find(b, view, from, to)
    if (name < 0) {
      if (this.builder.values.table.size >= MOST_NAMES) throw tooManyNames(this.source, MOST_NAMES)
      this.valueField.meaning.push(valueCode(this.builder.values, this.name(b, from, to)))
      name = this.remember(this.valueField.bytes, b, from, to)
    }
    return this.valueField.meaning.at(name)
  }
}

/** UTF-8, or Latin-1 where it is not: two names that differ must not both become replacement characters. */
function textOf(b: Uint8Array, from: number, to: number): string {
  const bytes = Buffer.from(b.buffer, b.byteOffset + from, to - from)
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') && !isUtf8(bytes) ? bytes.toString('latin1') : text
}

export function parseStd(text: string | Uint8Array, source = '(text)'): Trace {
  const reader = new StdReader(source)
  reader.push(typeof text === 'string' ? Buffer.from(text) : text)
  return reader.finish()
}

/** Reads a file piece by piece; what it takes in memory is the trace. */
export function readStd(from: string | FileBytes): Trace {
  const file = typeof from === 'string' ? openBytes(from) : from
  const reader = new StdReader(file.path)
  try {
    for (let chunk = file.next(); chunk.length > 0; chunk = file.next()) reader.push(chunk)
  } finally {
    file.close()
  }
  return reader.finish()
}

/** The same for what arrives over time: a socket, the output of a program. */
export async function readStdStream(chunks: AsyncIterable<Uint8Array>, source = '(stream)'): Promise<Trace> {
  const reader = new StdReader(source)
  for await (const chunk of chunks) reader.push(chunk)
  return reader.finish()
}
