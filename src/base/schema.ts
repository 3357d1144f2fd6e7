/**
 * What a JSON file may contain, as a value: one table of shapes, and one function that checks by it. The file is untrusted, so every field has a
 * type, a range or a set of characters, and every list and text a maximum length. `take` returns a copy with the known fields only.
 */
import { isRecord } from './objects.ts'

export type Shape =
  | { readonly is: 'text'; readonly most: number; readonly fits?: RegExp; readonly called: string }
  | { readonly is: 'number'; readonly min: number; readonly max: number; readonly whole: boolean }
  | { readonly is: 'flag' }
  | { readonly is: 'word'; readonly among: readonly (string | number)[] }
  | { readonly is: 'list'; readonly of: Shape; readonly least: number; readonly most: number }
  /** A list of a fixed length. */
  | { readonly is: 'row'; readonly of: readonly Shape[] }
  /** An object with keys that nobody knows before. */
  | { readonly is: 'map'; readonly of: Shape; readonly most: number }
  /** An object. `?` in front of a field that may be missing. */
  | { readonly is: 'fields'; readonly of: Fields }
  /** An object whose field `by` says which one it is. */
  | { readonly is: 'either'; readonly by: string; readonly of: Readonly<Record<string, Shape>> }

export type Fields = Readonly<Record<string, Shape>>

/** The first thing that is not as it should be: `findings[0].status is not one of FAILED, …`. */
export class Fault {
  constructor(
    /** Empty for the whole. */
    readonly field: string,
    readonly expected: string,
    readonly missing: boolean,
  ) {}

  get text(): string {
    const field = this.field === '' ? 'it' : `"${this.field}"`
    return this.missing ? `${field} is missing` : `${field} is not ${this.expected}`
  }
}

const LONG = 1 << 24
const MANY = 1_000_000

// oxlint-disable-next-line no-control-regex
const NO_CONTROL = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/

/** Whatever a program said. Whoever prints it has to escape it. */
export const text = (most = LONG): Shape => ({ is: 'text', most, called: `a text of at most ${most} characters` })
/** One line without control characters. */
export const line = (most = 4096): Shape => ({
  is: 'text',
  most,
  fits: NO_CONTROL,
  called: `one line of at most ${most} characters without control characters`,
})
/** An id: it becomes the name of a file and stands in command lines. */
export const id: Shape = { is: 'text', most: 64, fits: /^[A-Za-z0-9-]+$/, called: 'an id (1 to 64 letters, digits and dashes)' }
/** A text of which `fits` says how it looks, and `called` what that is. */
export const fitting = (fits: RegExp, called: string, most = 4096): Shape => ({ is: 'text', most, fits, called })
export const whole = (min: number, max: number): Shape => ({ is: 'number', min, max, whole: true })
export const number = (min: number, max: number): Shape => ({ is: 'number', min, max, whole: false })
export const count: Shape = whole(0, Number.MAX_SAFE_INTEGER)
export const flag: Shape = { is: 'flag' }
export const word = (...among: readonly (string | number)[]): Shape => ({ is: 'word', among })
export const list = (of: Shape, most = MANY, least = 0): Shape => ({ is: 'list', of, most, least })
export const row = (...of: readonly Shape[]): Shape => ({ is: 'row', of })
export const map = (of: Shape, most = 100_000): Shape => ({ is: 'map', of, most })
export const fields = (of: Fields): Shape => ({ is: 'fields', of })
export const either = (by: string, of: Readonly<Record<string, Shape>>): Shape => ({ is: 'either', by, of })

/** The value with its known fields, or what is wrong with it. The caller names the type that the shape is of. */
export function take<T>(value: unknown, shape: Shape): T | Fault {
  try {
    return taken(value, shape, '') as T
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

type Scalar = Extract<Shape, { readonly is: 'text' | 'number' | 'flag' | 'word' }>

const isScalar = (shape: Shape): shape is Scalar => ['text', 'number', 'flag', 'word'].includes(shape.is)

/** What it should have been; undefined when it is that. */
function expected(value: unknown, shape: Scalar): string | undefined {
  switch (shape.is) {
    case 'text':
      return typeof value === 'string' && value.length <= shape.most && shape.fits?.test(value) !== false ? undefined : shape.called
    case 'number':
      return isIn(value, shape) ? undefined : `a ${shape.whole ? 'whole ' : ''}number from ${shape.min} to ${shape.max}`
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'word':
      return shape.among.includes(value as string) ? undefined : oneOf(shape.among)
  }
}

function taken(value: unknown, shape: Shape, at: string): unknown {
  if (isScalar(shape)) {
    const wanted = expected(value, shape)
    if (wanted !== undefined) throw fault(value, at, wanted)
    return value
  }
  switch (shape.is) {
    case 'list':
      return listTaken(value, shape, at)
    case 'row':
      if (!Array.isArray(value) || value.length !== shape.of.length) throw fault(value, at, `a list of ${shape.of.length}`)
      return shape.of.map((of, i) => taken(value[i], of, `${at}[${i}]`))
    case 'map':
      return mapTaken(value, shape, at)
    case 'fields':
      return fieldsTaken(value, shape.of, at)
    case 'either': {
      if (!isRecord(value)) throw fault(value, at, 'an object')
      const which = value[shape.by]
      const kinds = Object.keys(shape.of)
      if (typeof which !== 'string' || !kinds.includes(which)) throw fault(which, below(at, shape.by), oneOf(kinds))
      return taken(value, shape.of[which]!, at)
    }
  }
}

const fault = (value: unknown, at: string, wanted: string): Fault => new Fault(at, wanted, value === undefined)
const oneOf = (words: readonly (string | number)[]): string => (words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`)

const isIn = (value: unknown, { min, max, whole: is }: { min: number; max: number; whole: boolean }): boolean =>
  typeof value === 'number' && value >= min && value <= max && (!is || Number.isSafeInteger(value))

/** Lists of numbers and texts may be long, and are not copied. */
function listTaken(value: unknown, { of, least, most }: { of: Shape; least: number; most: number }, at: string): unknown {
  if (!Array.isArray(value) || value.length < least || value.length > most)
    throw fault(value, at, least === 0 ? `a list of at most ${most}` : `a list of ${least} to ${most}`)
  const items: readonly unknown[] = value
  if (isScalar(of)) {
    const wrong = items.findIndex((item) => expected(item, of) !== undefined)
    if (wrong >= 0) throw fault(items[wrong], `${at}[${wrong}]`, expected(items[wrong], of)!)
    return items
  }
  return items.map((item, i) => taken(item, of, `${at}[${i}]`))
}

function mapTaken(value: unknown, { of, most }: { of: Shape; most: number }, at: string): unknown {
  if (!isRecord(value)) throw fault(value, at, 'an object')
  const entries = Object.entries(value)
  if (entries.length > most) throw fault(value, at, `an object with at most ${most} fields`)
  return Object.fromEntries(entries.map(([key, item]) => [key, taken(item, of, below(at, key))]))
}

/** In the order in which they stand there: what is written again is as it was. */
function fieldsTaken(value: unknown, of: Fields, at: string): unknown {
  if (!isRecord(value)) throw fault(value, at, 'an object')
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const optional = Object.hasOwn(of, `?${key}`)
    if (!optional && !Object.hasOwn(of, key)) continue
    if (optional && value[key] === undefined) continue
    copy[key] = taken(value[key], (optional ? of[`?${key}`] : of[key])!, below(at, key))
  }
  for (const key of Object.keys(of)) if (!key.startsWith('?') && !Object.hasOwn(copy, key)) throw new Fault(below(at, key), '', true)
  return copy
}

const LONGEST_KEY = 40

function below(at: string, key: string): string {
  if (!/^\w{1,40}$/.test(key)) return `${at}[${JSON.stringify(key.slice(0, LONGEST_KEY)).replaceAll('"', "'")}]`
  return at === '' ? key : `${at}.${key}`
}
