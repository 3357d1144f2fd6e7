/**
 * Values of reads and writes. The value column holds a code; two codes are equal exactly when the values are.
 *
 *   0                       not observed
 *   negative                a small whole number: code = INT_BIAS + n, -2^30 <= n < 2^30
 *   positive                index + 1 into the table of other values
 */
import { Names } from '../base/names.ts'

export const NOT_OBSERVED = 0
const INT_BIAS = -(2 ** 30)
const SMALL = 2 ** 30 - 1

export type Value = number | bigint | boolean | string | null | undefined | { readonly object: string }

/** The written form of a value: JSON where JSON has one, `#id` for an object. Unique per value, so it also serves as the key. */
export function valueText(value: Value): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  return `#${value.object}`
}

/** Reads what `valueText` wrote. Anything else is taken as the identity of an object. */
export function parseValue(text: string): Value {
  switch (text) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
      return null
    case 'undefined':
      return undefined
    case 'NaN':
      return NaN
    case 'Infinity':
      return Infinity
    case '-Infinity':
      return -Infinity
  }
  if (/^-?\d+n$/.test(text)) return BigInt(text.slice(0, -1))
  if (/^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text)
  if (text.startsWith('"')) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (typeof parsed === 'string') return parsed
    } catch {
      // not JSON after all: an opaque name
    }
  }
  return { object: text.startsWith('#') ? text.slice(1) : text }
}

/** The values of one trace, by code. */
export class Values {
  constructor(readonly table: Names = new Names()) {}

  codeOf(value: Value): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= -SMALL && value < SMALL && !Object.is(value, -0)) {
      return INT_BIAS + value
    }
    return this.table.intern(valueText(value)) + 1
  }

  /** The written form, or the empty string when the value was not observed. */
  textOf(code: number): string {
    if (code === NOT_OBSERVED) return ''
    return code < 0 ? String(code - INT_BIAS) : this.table.at(code - 1)
  }

  /** Is `code` one this table can explain? Files are untrusted. */
  has(code: number): boolean {
    return code <= 0
      ? code === NOT_OBSERVED || Math.abs(code - INT_BIAS) <= SMALL - 1 || code - INT_BIAS === -SMALL
      : code <= this.table.size
  }
}
