/**
 * The sites of a module, as a string small enough to stand in its first line: the names of the functions, then for each site its line,
 * column and name as differences to the site before, in the base 64 digits that source maps use.
 */

export interface Site {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** The function around it, '' at the top level. For variables: the name of the variable. */
  readonly name: string
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Uint8Array(128)
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i

/** Where a place of a compiled module was written, in the source that people know; both from 1. */
export type Original = (line: number, column: number) => { readonly line: number; readonly column: number }

export class SiteTable {
  readonly #lineStarts: readonly number[]
  readonly #names = new Map<string, number>()
  readonly #fields: number[] = []
  readonly #original: Original | undefined

  /** `lineStarts` holds the offset of each line's first character. */
  constructor(lineStarts: readonly number[], original?: Original) {
    this.#lineStarts = lineStarts
    this.#original = original
  }

  get size(): number {
    return this.#fields.length / 3
  }

  /** Adds a site and returns its number. */
  add(offset: number, name: string): number {
    const line = lineAt(this.#lineStarts, offset)
    let index = this.#names.get(name)
    if (index === undefined) this.#names.set(name, (index = this.#names.size))
    const column = offset - this.#lineStarts[line]! + 1
    const place = this.#original?.(line + 1, column) ?? { line: line + 1, column }
    return this.#fields.push(place.line, place.column, index) / 3 - 1
  }

  encode(): string {
    let text = ''
    let line = 0
    let column = 0
    let name = 0
    const f = this.#fields
    for (let i = 0; i < f.length; i += 3) {
      text += digits(f[i]! - line) + digits(f[i + 1]! - column) + digits(f[i + 2]! - name)
      line = f[i]!
      column = f[i + 1]!
      name = f[i + 2]!
    }
    return [...this.#names.keys()].map((n) => n.replace(/[\s;]/g, ' ')).join(';') + '\n' + text
  }
}

/** Binary search for the line an offset is in, from 0. */
export function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lineStarts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Lines end where the language says so, which is also what stack traces count. */
export function lineStartsOf(source: string): number[] {
  const starts = [0]
  for (let i = 0; i < source.length; i++) {
    const c = source.charCodeAt(i)
    if (c === 13 && source.charCodeAt(i + 1) === 10) continue
    if (c === 10 || c === 13 || c === 0x2028 || c === 0x2029) starts.push(i + 1)
  }
  return starts
}

/** A number in the digits of source maps. */
export function digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}

/** All numbers of a text in these digits. */
export function numbersOf(text: string, from = 0): number[] {
  const numbers: number[] = []
  for (let at = from; at < text.length;) {
    let value = 0
    let shift = 0
    let digit: number
    do {
      digit = VALUES[text.charCodeAt(at++)]!
      value |= (digit & 31) << shift
      shift += 5
    } while (digit & 32)
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
  }
  return numbers
}

export function decodeSites(encoded: string): Site[] {
  const end = encoded.indexOf('\n')
  const names = encoded.slice(0, end).split(';')
  const sites: Site[] = []
  const numbers = numbersOf(encoded, end + 1)
  let line = 0
  let column = 0
  let name = 0
  for (let i = 0; i < numbers.length; i += 3) {
    line += numbers[i]!
    column += numbers[i + 1]!
    name += numbers[i + 2]!
    sites.push({ line, column, name: names[name]! })
  }
  return sites
}
