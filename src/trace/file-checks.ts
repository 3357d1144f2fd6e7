/** Trace files are untrusted: every name and every number of an event is checked here before it becomes part of a trace. */
import type { TableName } from './file.ts'
import { OPS, type TargetKind } from './ops.ts'
import { targetOptional } from './target-rule.ts'
import { NONE, type TraceTables } from './trace.ts'
import { parseValue, valueText } from './values.ts'

export interface EventColumns {
  readonly op: Uint8Array
  readonly target: Int32Array
  readonly value: Int32Array
  readonly site: Int32Array
  readonly stamp: Int32Array
}

const LONGEST_NAME = 1 << 20
const MOST_NAMES = 2 ** 24 - 8

/** Codes of small numbers lie between; the two outside them stand for values that have a code in the table. */
const LEAST_CODE = -(2 ** 31) + 1
const UNUSED_CODE = -1

/** The name written at a place of a block, and where it ends. */
export function nameFrom(body: Buffer, at: number): { name: string; end: number } | undefined {
  if (at + 4 > body.length) return undefined
  const head = body.readUInt32LE(at)
  const length = head & 0x7fffffff
  const end = at + 4 + length
  if (end > body.length) return undefined
  return { name: body.toString(head >>> 31 === 1 ? 'utf16le' : 'utf8', at + 4, end), end }
}

/** Adds a name to its table, or says what is wrong with it. */
export function nameProblem(tables: TraceTables, kind: TableName, name: string): string | undefined {
  if (name.length > LONGEST_NAME) return 'a name is too long'
  const table = kind === 'values' ? tables.values.table : tables[kind]
  const size = table.size
  if (size >= MOST_NAMES) return 'there are too many names'
  if (kind === 'values' && !isCanonical(tables, name)) return 'a value is not written as Heddle writes values'
  table.intern(name)
  return table.size === size ? 'a name stands twice in its table' : undefined
}

/** Two codes for one value would make equal values differ. */
function isCanonical(tables: TraceTables, text: string): boolean {
  if (text.startsWith('#')) return true
  if (text.length > 400 && !text.startsWith('"') && !/^-?\d+n$/.test(text)) return false
  const value = parseValue(text)
  if (valueText(value) !== text) return false
  return typeof value !== 'number' || tables.values.codeOf(value) > 0
}

/** Undefined, or what is wrong with these events of one task, whose stamps must not be less than `stamp`. */
export function checkEvents(part: EventColumns, tables: TraceTables, stamp: number): string | undefined {
  const sizes: Record<TargetKind, number> = {
    none: 0,
    location: tables.locations.size,
    lock: tables.locks.size,
    task: tables.tasks.size,
    signal: tables.signals.size,
    queue: tables.queues.size,
    name: tables.names.size,
  }
  const ops = OPS.length
  const most = Int32Array.from(OPS, (row) => sizes[row.target])
  const least = Int32Array.from(OPS, (_, op) => (targetOptional[op] ? NONE : 0))
  const sites = tables.sites.size
  const values = tables.values.table.size
  const n = part.op.length
  for (let k = 0; k < n; k++) {
    const op = part.op[k]!
    if (op >= ops) return `unknown op ${op}`
    const target = part.target[k]!
    if (target < least[op]! || target >= most[op]!) return `a ${OPS[op]!.name} event has the unknown target ${target}`
    const site = part.site[k]!
    if (site < NONE || site >= sites) return `an event has the unknown site ${site}`
    const value = part.value[k]!
    if (value > values || value < LEAST_CODE || value === UNUSED_CODE) return `an event has the unknown value ${value}`
    if (part.stamp[k]! < stamp) return `an event has stamp ${part.stamp[k]}, but ${stamp} came before it`
    stamp = part.stamp[k]!
  }
  return undefined
}
