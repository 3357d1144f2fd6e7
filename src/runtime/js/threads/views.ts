/**
 * Typed arrays and DataViews over shared buffers. What is known of each is a private field, which the program cannot see and which costs a comparison
 * to look up.
 */
import { Names } from '../../../base/names.ts'
import { labelOf, type SharedBuffer } from './buffers.ts'
import { stripeOf } from './control.ts'
import { Identity } from '../identity.ts'

export type Element = number | bigint
type Elements = Exclude<NodeJS.TypedArray, Uint8ClampedArray> | Uint8ClampedArray

/** Raw names of cells, as the file of the thread has them. Numbers are those of the stream, too. */
export const cellNames = new Names()

const KIND: Readonly<Record<string, string>> = {
  Int8Array: 'i',
  Uint8Array: 'u',
  Uint8ClampedArray: 'u',
  Int16Array: 'i',
  Uint16Array: 'u',
  Int32Array: 'i',
  Uint32Array: 'u',
  Float16Array: 'f',
  Float32Array: 'f',
  Float64Array: 'f',
  BigInt64Array: 'i',
  BigUint64Array: 'u',
}

/** Cells of one buffer, size and kind: their numbers + 1, by place. */
type Table = Map<number, Int32Array>
const PAGE = 4096
const tables = new Map<string, Table>()

function tableOf(buffer: SharedBuffer, size: number, kind: string): Table {
  const key = `${buffer.label}:${size}${kind}`
  let table = tables.get(key)
  if (table === undefined) tables.set(key, (table = new Map()))
  return table
}

/** The number of a cell at a place that is a multiple of its size. */
function cellIn(table: Table, buffer: SharedBuffer, place: number, size: number, kind: string): number {
  const page = Math.floor(place / PAGE)
  let cells = table.get(page)
  if (cells === undefined) table.set(page, (cells = new Int32Array(PAGE)))
  const at = place % PAGE
  const known = cells[at]!
  if (known !== 0) return known - 1
  // A place has one table and one entry: the name is new.
  const cell = cellNames.append(`${buffer.label}+${place * size}:${size}${kind}`)
  cells[at] = cell + 1
  return cell
}

/** The number of any cell. */
export function cellOf(buffer: SharedBuffer, offset: number, size: number, kind: string): number {
  const place = offset / size
  if (Number.isInteger(place)) return cellIn(tableOf(buffer, size, kind), buffer, place, size, kind)
  return cellNames.intern(`${buffer.label}+${offset}:${size}${kind}`)
}

/** One element of each type: what is stored there is what an array would hold, and wrong values get the engine's own errors. */
const scratches = new Map<string, { [0]: Element }>()

function scratchOf(type: string): { [0]: Element } {
  let scratch = scratches.get(type)
  if (scratch === undefined)
    scratches.set(type, (scratch = new (Reflect.get(globalThis, type) as new (length: number) => { [0]: Element })(1)))
  return scratch
}

export class View {
  readonly size: number
  readonly offset: number
  readonly kind: string
  readonly isBig: boolean
  /** May Atomics work on it? */
  readonly isAtomic: boolean
  /** Stands for the array where something is stored; hooks.ts makes it. */
  sink: object | undefined
  private readonly scratch: { [0]: Element }
  /** Of its first element. */
  private readonly place: number
  private readonly table: Table
  /** The last page looked at. */
  private page = -1
  private cells: Int32Array = new Int32Array(0)

  constructor(
    readonly array: Elements,
    readonly buffer: SharedBuffer,
    type: string,
  ) {
    this.size = array.BYTES_PER_ELEMENT
    this.offset = array.byteOffset
    this.kind = KIND[type] ?? 'i'
    this.isBig = type.startsWith('Big')
    this.isAtomic = this.kind !== 'f' && type !== 'Uint8ClampedArray'
    this.scratch = scratchOf(type)
    this.place = this.offset / this.size
    this.table = tableOf(buffer, this.size, this.kind)
  }

  /** The number of the cell of an element. */
  cell(index: number): number {
    const place = this.place + index
    const page = Math.floor(place / PAGE)
    if (page === this.page) {
      const known = this.cells[place % PAGE]!
      if (known !== 0) return known - 1
    }
    const cell = cellIn(this.table, this.buffer, place, this.size, this.kind)
    this.page = page
    this.cells = this.table.get(page)!
    return cell
  }

  /** What the array would hold if this were stored. May run code of the program, once. */
  held(value: unknown): Element {
    this.scratch[0] = value as Element
    return this.scratch[0]
  }

  stripe(index: number): number {
    return stripeOf(this.buffer.hash, this.offset + index * this.size)
  }

  byte(index: number): number {
    return this.offset + index * this.size
  }

  has(index: number): boolean {
    return index >= 0 && index < this.array.length && Number.isInteger(index)
  }
}

class Seen extends Identity {
  /** null: it is over a buffer that is not shared. */
  #view: View | null
  constructor(object: object, view: View | null) {
    super(object)
    this.#view = view
  }
  static of(object: object): View | null | undefined {
    return #view in object ? (object as Seen).#view : undefined
  }
}

/** What is known of a typed array over shared memory; undefined for everything else. */
export function viewOf(object: unknown): View | undefined {
  if (typeof object !== 'object' || object === null) return undefined
  const seen = Seen.of(object)
  if (seen !== undefined) return seen ?? undefined
  return ArrayBuffer.isView(object) ? look(object) : undefined
}

const bufferOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype) as object, 'buffer')!.get!
const typeOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype) as object, Symbol.toStringTag)!.get!

function look(object: ArrayBufferView): View | undefined {
  const type = typeOf.call(object) as string | undefined
  if (type === undefined) return undefined
  const buffer = bufferOf.call(object) as ArrayBufferLike
  if (!(buffer instanceof SharedArrayBuffer)) {
    new Seen(object, null)
    return undefined
  }
  // A buffer that has no label yet may get one: nothing is noted.
  const label = labelOf(buffer)
  if (label === undefined) return undefined
  const view = new View(object as Elements, label, type)
  new Seen(object, view)
  return view
}
