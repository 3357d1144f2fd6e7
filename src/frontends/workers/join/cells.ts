/**
 * Cells of shared memory, from their names in the files of the threads (`main#1+8:4i`: buffer, offset, size, type) to the locations of a joined
 * trace. All accesses to the same bytes become one location. Where sizes overlap without being equal, the bytes of a buffer are cut at every border,
 * and an access covers one or more of the pieces.
 */
import { Names } from '../../../base/names.ts'
import { NONE } from '../../../trace/trace.ts'

export type Kind = 'i' | 'u' | 'f'

export interface View {
  readonly buffer: string
  readonly offset: number
  readonly size: number
  readonly kind: Kind
}

/** Names of buffers may hold anything, so the numbers are looked for at the end. */
const CELL = /^(.+)\+(\d{1,15}):([1248])([iuf])$/s

export function parseCell(text: string): View | undefined {
  const parts = CELL.exec(text)
  if (!parts) return undefined
  return { buffer: parts[1]!, offset: Number(parts[2]), size: Number(parts[3]), kind: parts[4] as Kind }
}

/** More than one task. */
const MANY = -2

/** Who uses which thing: nobody, one task, or several. */
export class Owners {
  private list = new Int32Array(64).fill(NONE)

  add(thing: number, task: number): void {
    if (thing >= this.list.length) this.widen(thing)
    const owner = this.list[thing]!
    if (owner === NONE) this.list[thing] = task
    else if (owner !== task) this.list[thing] = MANY
  }

  isShared(thing: number): boolean {
    return this.list[thing] === MANY
  }

  isUsed(thing: number): boolean {
    return thing < this.list.length && this.list[thing] !== NONE
  }

  at(thing: number): number {
    return this.list[thing] ?? NONE
  }

  private widen(thing: number): void {
    const wider = new Int32Array(Math.max(thing + 1, 2 * this.list.length)).fill(NONE)
    wider.set(this.list)
    this.list = wider
  }
}

/** Every different name under which some thread accesses a cell. */
export class RawCells {
  readonly owners = new Owners()
  private readonly names = new Names()
  private readonly buffers = new Names()
  readonly views: (View | undefined)[] = []
  /** By number of the buffer: the names of its cells. */
  private readonly inBuffer: number[][] = []

  intern(text: string): number {
    const raw = this.names.intern(text)
    if (raw < this.views.length) return raw
    const view = parseCell(text)
    this.views.push(view)
    if (!view) return raw
    const buffer = this.buffers.intern(view.buffer)
    if (buffer === this.inBuffer.length) this.inBuffer.push([])
    this.inBuffer[buffer]!.push(raw)
    return raw
  }

  cut(): Pieces {
    return new Pieces(this.names, this.views, this.inBuffer, this.buffers, this.owners)
  }
}

export class Pieces {
  /** Per name: its pieces are first … first + count - 1, in ascending order of bytes. */
  readonly first: Int32Array
  readonly count: Uint8Array
  /** Per name: is it the only one for its bytes, and one piece? Then values need no bits. */
  readonly plain: Uint8Array
  /** Per name: how many of its pieces several tasks touch. */
  readonly shared: Uint8Array
  /** Per piece: where it begins in its buffer, how long it is, who touches it. */
  readonly offset: Float64Array
  readonly length: Uint8Array
  private readonly owners = new Owners()
  private readonly bufferOf: Int32Array
  /** Per piece that is no place in a buffer: the name. */
  private readonly odd = new Map<number, string>()
  /** Per buffer: the size of all accesses to it, when that is one and all are aligned; else 0. */
  private readonly unit: Uint8Array
  private readonly base: Int32Array

  constructor(
    names: Names,
    views: readonly (View | undefined)[],
    inBuffer: readonly (readonly number[])[],
    private readonly buffers: Names,
    rawOwners: Owners,
  ) {
    const raws = views.length
    this.first = new Int32Array(raws)
    this.count = new Uint8Array(raws)
    this.plain = new Uint8Array(raws)
    this.shared = new Uint8Array(raws)
    this.unit = new Uint8Array(inBuffer.length)
    const borders = inBuffer.map((list) => bordersOf(views, list))
    const odd = views.reduce((n, view) => n + (view ? 0 : 1), 0)
    const most = borders.reduce((n, list) => n + list.length, odd)
    this.offset = new Float64Array(most)
    this.length = new Uint8Array(most)
    this.bufferOf = new Int32Array(most).fill(NONE)
    this.base = new Int32Array(inBuffer.length + 1)
    let piece = 0
    for (const [buffer, list] of inBuffer.entries()) {
      const edges = borders[buffer]!
      this.unit[buffer] = unitOf(views, list)
      for (let k = 0; k < edges.length; k++) {
        this.offset[piece + k] = edges[k]!
        // What lies between two cells nobody touches: its length is never asked for.
        this.length[piece + k] = Math.min(255, (edges[k + 1] ?? edges[k]!) - edges[k]!)
        this.bufferOf[piece + k] = buffer
      }
      for (const raw of list) {
        const view = views[raw]!
        const from = placeOf(edges, view.offset)
        this.first[raw] = piece + from
        this.count[raw] = placeOf(edges, view.offset + view.size) - from
      }
      piece += edges.length
      this.base[buffer + 1] = piece
    }
    for (let raw = 0; raw < raws; raw++) {
      if (views[raw]) continue
      this.odd.set(piece, names.at(raw))
      this.first[raw] = piece++
      this.count[raw] = 1
    }
    const touchedBy = new Uint8Array(most) // how many names, up to two
    for (let raw = 0; raw < raws; raw++) {
      for (let p = this.first[raw]!, end = p + this.count[raw]!; p < end; p++) {
        if (touchedBy[p]! < 2) touchedBy[p]!++
        this.owners.add(p, rawOwners.at(raw))
      }
    }
    for (let raw = 0; raw < raws; raw++) {
      const p = this.first[raw]!
      this.plain[raw] = Number(this.count[raw] === 1 && touchedBy[p] === 1)
      for (let k = 0; k < this.count[raw]!; k++) if (this.owners.isShared(p + k)) this.shared[raw]!++
    }
  }

  isShared(piece: number): boolean {
    return this.owners.isShared(piece)
  }

  /** How a report calls a piece: an element where all of the buffer is used in elements of one size, else its bytes. */
  name(piece: number): string {
    const odd = this.odd.get(piece)
    if (odd !== undefined) return odd
    const buffer = this.bufferOf[piece]!
    return this.nameOf(buffer, this.offset[piece]!, this.length[piece]!)
  }

  /** The name of the place where a cell begins, also of one that nobody accesses (it is only notified). */
  placeName(view: View): string {
    const buffer = this.buffers.find(view.buffer)
    if (buffer === NONE) return `${view.buffer}+${view.offset}:${view.size}`
    return this.nameOf(buffer, view.offset, this.lengthAt(buffer, view.offset) ?? view.size)
  }

  private nameOf(buffer: number, offset: number, length: number): string {
    const unit = this.unit[buffer]!
    const label = this.buffers.at(buffer)
    return unit > 0 && offset % unit === 0 ? `${label}[${offset / unit}]` : `${label}+${offset}:${length}`
  }

  /** The length of the piece of this buffer that begins here. */
  private lengthAt(buffer: number, offset: number): number | undefined {
    const base = this.base[buffer]!
    const piece = base + placeOf(this.offset.subarray(base, this.base[buffer + 1]), offset)
    return piece < this.base[buffer + 1]! && this.offset[piece] === offset && this.owners.isUsed(piece) ? this.length[piece] : undefined
  }
}

/** Where cells of a buffer begin or end, ascending. */
function bordersOf(views: readonly (View | undefined)[], list: readonly number[]): Float64Array {
  const all = new Float64Array(2 * list.length)
  for (const [k, raw] of list.entries()) {
    const { offset, size } = views[raw]!
    all[2 * k] = offset
    all[2 * k + 1] = offset + size
  }
  all.sort()
  let kept = 0
  for (let k = 0; k < all.length; k++) if (k === 0 || all[k] !== all[k - 1]) all[kept++] = all[k]!
  return all.subarray(0, kept)
}

function placeOf(edges: Float64Array, offset: number): number {
  let lo = 0
  let hi = edges.length
  while (lo < hi) {
    const mid = (lo + hi) >>> 1
    if (edges[mid]! < offset) lo = mid + 1
    else hi = mid
  }
  return lo
}

function unitOf(views: readonly (View | undefined)[], list: readonly number[]): number {
  const { size } = views[list[0]!]!
  return list.every((raw) => views[raw]!.size === size && views[raw]!.offset % size === 0) ? size : 0
}
