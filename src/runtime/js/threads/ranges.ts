/**
 * Operations on several bytes or elements of shared memory at once: methods of typed arrays, and DataViews. If no code of the program runs in
 * between, the whole operation is one step. A method with a callback (forEach, map) has read everything before its first call.
 */
import { READ, WRITE } from '../../../trace/ops.ts'
import { readCell } from './cells.ts'
import { labelOf, notes } from './buffers.ts'
import { stripeOf } from './control.ts'
import { otherStep } from './spinning.ts'
import { enterAll, leaveAll, leaveWithoutStep, stream } from './steps.ts'
import { cellOf, viewOf, type Element, type View } from './views.ts'

/** Elements of one range that are recorded. */
const MOST = 1024

interface Range {
  readonly view: View
  readonly from: number
  readonly to: number
  readonly op: number
}

function rangeOf(view: View, from: number, to: number, op: number): Range {
  const end = Math.min(to, view.array.length)
  if (end - from > MOST) notes.add(`Of ranges of shared memory the first ${MOST} elements were recorded.`)
  return { view, from, to: Math.min(end, from + MOST), op }
}

/** One step: `action` does all of it. Reads are recorded as they were before it, writes as they are after it. */
function together<T>(ranges: readonly Range[], action: () => T): T {
  const stripes = [...new Set(ranges.flatMap(({ view, from, to }) => range(from, to).map((i) => view.stripe(i))))].sort((a, b) => a - b)
  if (stripes.length === 0) return action()
  otherStep()
  enterAll(stripes, ranges.some(({ op }) => op === WRITE) ? 'write' : 'read', -1)
  const site = stream === undefined ? -1 : stream.place()
  record(ranges, READ, site)
  let result: T
  try {
    result = action()
  } catch (error) {
    // The reads are recorded already; without any, nothing has happened.
    if (ranges.some(({ op }) => op === READ)) leaveAll(stripes)
    else leaveWithoutStep(stripes)
    throw error
  }
  record(ranges, WRITE, site)
  leaveAll(stripes)
  return result
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

function record(ranges: readonly Range[], wanted: number, site: number): void {
  if (stream === undefined) return
  for (const { view, from, to, op } of ranges) {
    if (op !== wanted) continue
    const cells = view.array as unknown as Record<number, Element>
    for (let i = from; i < to; i++) stream.add(op, view.cell(i), stream.values.codeOf(cells[i]!), site)
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Reads everything and calls nobody. */
const READS = ['includes', 'indexOf', 'join', 'lastIndexOf', 'toReversed', 'with', 'toLocaleString']
/** Reads everything, and the program runs in between. */
const CALLS_BACK = [
  'entries',
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'forEach',
  'map',
  'reduce',
  'reduceRight',
  'some',
  'toSorted',
  'values',
]

/** Those that take functions or lists. */
const CALLS: ReadonlySet<string> = new Set([...CALLS_BACK, 'sort', 'set'])

export function replaceRanges(): void {
  const prototype = Object.getPrototypeOf(Int8Array.prototype) as Record<PropertyKey, Method>
  const { slice, set } = prototype as Record<'slice' | 'set', Method>
  const all = (view: View, op: number): Range => rangeOf(view, 0, view.array.length, op)
  for (const name of READS) replace(prototype, name, (view, act) => together([all(view, READ)], act))
  for (const name of CALLS_BACK) {
    replace(prototype, name, (view, act) => {
      together([all(view, READ)], () => {})
      return act()
    })
  }
  Object.defineProperty(prototype, Symbol.iterator, { value: prototype['values'], writable: true, enumerable: false, configurable: true })
  replace(prototype, 'at', (view, act, [at]) => {
    const index = Math.trunc(Number(at)) || 0
    const element = index < 0 ? view.array.length + index : index
    return view.has(element) ? readCell(view, element, false, -1) : act()
  })
  replace(prototype, 'fill', (view, act, [, from, to]) => {
    const length = view.array.length
    return together([rangeOf(view, clamp(from, 0, length), clamp(to, length, length), WRITE)], act)
  })
  replace(prototype, 'slice', (view, act, [from, to]) => {
    const length = view.array.length
    return together([rangeOf(view, clamp(from, 0, length), clamp(to, length, length), READ)], act)
  })
  replace(prototype, 'copyWithin', (view, act, [target, from, to]) => {
    const length = view.array.length
    const [at, first, last] = [clamp(target, 0, length), clamp(from, 0, length), clamp(to, length, length)]
    const count = Math.max(0, Math.min(last - first, length - at))
    return together([rangeOf(view, first, first + count, READ), rangeOf(view, at, at + count, WRITE)], act)
  })
  replace(prototype, 'reverse', (view, act) => together([all(view, READ), all(view, WRITE)], act))
  const sort = prototype['sort']!
  replace(prototype, 'sort', (view, act, [compare]) => {
    if (typeof compare !== 'function') return compare === undefined ? together([all(view, READ), all(view, WRITE)], act) : act()
    // As the engine does it: it reads all, lets the program compare, and writes all.
    const copy = together([all(view, READ)], () => Reflect.apply(slice, view.array, []))
    Reflect.apply(sort, copy, [compare])
    together([all(view, WRITE)], () => Reflect.apply(set, view.array, [copy]))
    return view.array
  })
  replace(
    prototype,
    'set',
    (view, act, [source, offset]) => setRange(view, act, source, offset),
    (source) => viewOf(source),
  )
  replaceDataViews()
}

function setRange(view: View | undefined, act: () => unknown, source: unknown, offset: unknown): unknown {
  const length = (source as ArrayLike<unknown> | undefined)?.length ?? 0
  const from = Math.trunc(Number(offset ?? 0)) || 0
  const read = viewOf(source)
  // Something else than a list of numbers: reading it may run code of the program.
  if (!ArrayBuffer.isView(source) && !Array.isArray(source)) return act()
  return together([...(read ? [rangeOf(read, 0, length, READ)] : []), ...(view ? [rangeOf(view, from, from + length, WRITE)] : [])], act)
}

function clamp(value: unknown, otherwise: number, length: number): number {
  const n = value === undefined ? otherwise : Math.trunc(Number(value)) || 0
  return Math.max(0, Math.min(length, n < 0 ? length + n : n))
}

/** `make` gets the view and what does the original. `other` finds a second array among the arguments that counts, too. */
function replace(
  prototype: Record<PropertyKey, Method>,
  name: string,
  make: (view: View, act: () => unknown, args: readonly unknown[]) => unknown,
  other?: (first: unknown) => View | undefined,
): void {
  const before = prototype[name]
  if (before === undefined) return
  const { [name]: after } = {
    [name](this: unknown, ...args: unknown[]): unknown {
      const view = viewOf(this)
      if (view === undefined && other?.(args[0]) === undefined) return Reflect.apply(before, this, args)
      // Other arguments become numbers or texts, which may run code of the program: not while clocks are locked.
      if (!CALLS.has(name) && args.some((arg) => typeof arg === 'object' && arg !== null)) return Reflect.apply(before, this, args)
      return make(view!, () => Reflect.apply(before, this, args), args)
    },
  }
  Object.defineProperty(after, 'length', { value: before.length, configurable: true })
  Object.defineProperty(prototype, name, { value: after, writable: true, enumerable: false, configurable: true })
}

const TYPES: readonly (readonly [name: string, size: number, kind: string])[] = [
  ['Int8', 1, 'i'],
  ['Uint8', 1, 'u'],
  ['Int16', 2, 'i'],
  ['Uint16', 2, 'u'],
  ['Int32', 4, 'i'],
  ['Uint32', 4, 'u'],
  ['Float16', 2, 'f'],
  ['Float32', 4, 'f'],
  ['Float64', 8, 'f'],
  ['BigInt64', 8, 'i'],
  ['BigUint64', 8, 'u'],
]

function replaceDataViews(): void {
  const prototype = DataView.prototype as unknown as Record<string, Method>
  for (const [type, size, kind] of TYPES) {
    const get = prototype[`get${type}`]
    const set = prototype[`set${type}`]
    // Node 24 has Float16.
    if (get === undefined || set === undefined) continue
    const wrap = (name: string, before: Method, op: number): void => {
      const { [name]: after } = {
        [name](this: unknown, ...args: unknown[]): unknown {
          const act = (): unknown => Reflect.apply(before, this, args)
          const bytes = bytesOf(this, args[0], size)
          if (bytes === undefined) return act()
          // What is no number may run code of the program when it is made one, and may be wrong.
          if (op === WRITE) args[1] = size === 8 && kind !== 'f' ? bigOf(args[1]) : +(args[1] as number)
          const { label, offset } = bytes
          const stripes = [...new Set([stripeOf(label.hash, offset), stripeOf(label.hash, offset + size - 1)])].sort((a, b) => a - b)
          otherStep()
          enterAll(stripes, op === WRITE ? 'write' : 'read', -1)
          const result = act()
          if (stream !== undefined) {
            // Values are recorded as the machine's own arrays would show them.
            const plain = Reflect.apply(get, this, [args[0], true]) as Element
            stream.add(op, cellOf(label, offset, size, kind), stream.values.codeOf(plain), stream.place())
          }
          leaveAll(stripes)
          return result
        },
      }
      Object.defineProperty(after, 'length', { value: before.length, configurable: true })
      Object.defineProperty(prototype, name, { value: after, writable: true, enumerable: false, configurable: true })
    }
    wrap(`get${type}`, get, READ)
    wrap(`set${type}`, set, WRITE)
  }
}

const oneBig = new BigInt64Array(1)
/** A value as the engine takes it, with the engine's errors. */
function bigOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  oneBig[0] = value as bigint
  return oneBig[0]
}

/** The bytes of a sound access to a shared buffer. */
function bytesOf(view: unknown, at: unknown, size: number) {
  if (!(view instanceof DataView) || !(view.buffer instanceof SharedArrayBuffer) || typeof at !== 'number') return undefined
  if (!Number.isInteger(at) || at < 0 || at + size > view.byteLength) return undefined
  const label = labelOf(view.buffer)
  return label === undefined ? undefined : { label, offset: view.byteOffset + at }
}
