/**
 * Values by their bits, where one place in memory is looked at in several ways: -1 of an Int32Array and 4294967295 of a Uint32Array are one
 * value, and a part of a value is a value of its own. Memory is little-endian, as everywhere Node runs.
 *
 * A NaN says nothing about its bits, and neither does a half-width float here: such values count as not observed, which asks of a read that it
 * sees the recorded write, and promises nothing else.
 */
import { NOT_OBSERVED, parseValue, type Value, type Values } from '../../../trace/values.ts'
import type { View } from './cells.ts'

const bytes = new DataView(new ArrayBuffer(8))
/** Larger whole numbers are not exact, so they are written as bigints. */
const WIDEST_NUMBER = 6
const UNKNOWN = Symbol('bits unknown')

/** The code of zero; that of a small whole number n lies n above it. */
const CODE_OF_ZERO = -(2 ** 30)
const NOT_YET = -(2 ** 31)

/** The value as the view has it in memory; false when its bits cannot be known. */
function store(value: Value, { size, kind }: View): boolean {
  if (kind === 'f') {
    if (typeof value !== 'number' || Number.isNaN(value) || size < 4) return false
    if (size === 8) bytes.setFloat64(0, value, true)
    else bytes.setFloat32(0, value, true)
    return true
  }
  if (size === 8) {
    if (typeof value !== 'bigint') return false
    bytes.setBigUint64(0, BigInt.asUintN(64, value), true)
    return true
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) return false
  bytes.setUint32(0, value >>> 0, true)
  return true
}

/** The bytes from … from + length - 1 of what was stored, as an unsigned number. */
function load(from: number, length: number): number | bigint {
  if (length > WIDEST_NUMBER) {
    let wide = 0n
    for (let k = length - 1; k >= 0; k--) wide = (wide << 8n) | BigInt(bytes.getUint8(from + k))
    return wide
  }
  let number = 0
  for (let k = length - 1; k >= 0; k--) number = number * 256 + bytes.getUint8(from + k)
  return number
}

function part(value: Value, view: View, from: number, length: number): number | bigint | typeof UNKNOWN {
  return store(value, view) ? load(from, length) : UNKNOWN
}

/** Turns codes of one file into codes of the joined trace. */
export class ValueCodes {
  private readonly whole: Int32Array
  /** By view and part: codes of the file's table, once they have been asked for. */
  private readonly parts = new Map<number, Int32Array>()

  constructor(
    private readonly from: Values,
    private readonly to: Values,
  ) {
    this.whole = new Int32Array(from.table.size).fill(NOT_YET)
  }

  /** The same value. */
  same(code: number): number {
    // Small numbers and "not observed" have the same code in every trace.
    if (code <= 0) return code
    const known = this.whole[code - 1]!
    return known === NOT_YET ? (this.whole[code - 1] = this.to.table.intern(this.from.table.at(code - 1)) + 1) : known
  }

  /** The bytes `from` … of a value that was accessed through `view`. */
  piece(code: number, view: View, from: number, length: number): number {
    if (code === NOT_OBSERVED) return NOT_OBSERVED
    if (code < 0) return this.code(part(code - CODE_OF_ZERO, view, from, length))
    const key = ((view.size * 4 + 'iuf'.indexOf(view.kind)) * 8 + from) * 16 + length
    let known = this.parts.get(key)
    if (!known) this.parts.set(key, (known = new Int32Array(this.from.table.size).fill(NOT_YET)))
    if (known[code - 1] === NOT_YET) known[code - 1] = this.code(part(parseValue(this.from.table.at(code - 1)), view, from, length))
    return known[code - 1]!
  }

  private code(value: number | bigint | typeof UNKNOWN): number {
    return typeof value === 'symbol' ? NOT_OBSERVED : this.to.codeOf(value)
  }
}
