/**
 * Arrays: elements, the length, and the contents as a whole. An element has its recorded value as long as the contents are the recorded ones; the
 * length is followed through push, pop, shift and unshift.
 */
import { types } from 'node:util'
import { native } from './calls.ts'
import { binary, many, opaque, T } from './expressions.ts'
import { adoptNew, handle, tagAt, together, type Handler } from './handlers.ts'
import { FRESH, input, isNew, output, readElements, readOrder, writeElements, writeOrder } from './locations.ts'
import { knownOf } from './objects.ts'

const isArray = (self: unknown): self is unknown[] => Array.isArray(self) && !types.isProxy(self)

/** An array as a whole. */
export function readArray(self: object, site: number): number {
  const known = knownOf(self)
  return together(self, [readOrder(self, known, site), readElements(self, known, site)])
}

export function readLength(array: unknown[], site: number): number {
  const known = knownOf(array)
  return input(known.place('length'), array, known, array.length, site)
}

/** `a[i]`, which is this value. */
export function readItem(array: object, index: number, value: unknown, site: number): number {
  const known = knownOf(array)
  const element = input(known.item(index), array, known, value, site)
  const order = readOrder(array, known, site)
  return order === 0 ? element : binary('at', value, element, undefined, order, value)
}

/** `a[i] = value` happens next. Call what it returns when it has. */
export function writeItem(array: unknown[], index: number): (value: unknown, tag: number, site: number) => void {
  const known = knownOf(array)
  const place = known.item(index)
  const old: unknown = place.location >= 0 ? undefined : isNew(known) ? FRESH : dataAt(array, index)
  const length = array.length
  return (value, tag, site) => {
    // Frozen, or too long.
    if (index >= array.length) return
    const tl = index < length ? 0 : input(known.place('length'), array, known, length, site)
    output(place, array, old, value, tag, site, known.epoch)
    if (index < length) return writeElements(array, known, tag, site)
    output(known.place('length'), array, length, index + 1, many('call Math.max', [length, index + 1], [tl, 0], index + 1), site)
    writeOrder(array, known, tag, site)
  }
}

handle(Array.prototype, 'push', (callee, self, ts, args, tags, site) => {
  if (!isArray(self)) return native(callee, self, ts, args, tags, 0)
  const known = knownOf(self)
  const before = self.length
  const length = readLength(self, site)
  const result: unknown = Reflect.apply(callee, self, args)
  for (let i = 0; i < args.length; i++) output(known.item(before + i), self, undefined, args[i], tagAt(tags, i), site, known.epoch)
  // How many were spread nobody says.
  const after = tags === undefined ? opaque(result, length) : binary('+', before, length, args.length, 0, result)
  output(known.place('length'), self, before, result, after, site)
  writeOrder(self, known, together(self, tags), site)
  T.t = after
  return result
})

const takes: Handler = (callee, self, ts, args, tags, site) => {
  if (!isArray(self)) return native(callee, self, ts, args, tags, 0)
  const known = knownOf(self)
  const before = self.length
  const length = readLength(self, site)
  const isPop = callee === pop
  const order = readOrder(self, known, site)
  const at = isPop ? before - 1 : 0
  const element = before === 0 ? 0 : input(known.item(at), self, known, dataAt(self, at), site)
  const value: unknown = Reflect.apply(callee, self, args)
  const guarded = order === 0 ? element : binary('at', value, element, undefined, order, value)
  T.t = length === 0 ? guarded : many('taken', [before, value], [length, guarded], value)
  const result = T.t
  const less = binary('-', before, length, 1, 0, before - 1)
  output(known.place('length'), self, before, self.length, many('call Math.max', [0, before - 1], [0, less], self.length), site)
  if (!isPop) known.shuffle()
  writeOrder(self, known, 0, site)
  T.t = result
  return value
}
const pop: unknown = Array.prototype.pop
const dataAt = (array: object, index: number): unknown => Object.getOwnPropertyDescriptor(array, index)?.value
handle(Array.prototype, 'pop shift', takes)

/** Changes which elements there are, or their order. */
handle(Array.prototype, 'unshift splice sort reverse fill copyWithin', (callee, self, ts, args, tags, site) => {
  if (!isArray(self)) return native(callee, self, ts, args, tags, 0)
  const known = knownOf(self)
  const whole = readArray(self, site)
  const before = self.length
  const length = readLength(self, site)
  const result = native(callee, self, ts, args, tags, whole)
  const tag = T.t
  known.shuffle()
  if (self.length !== before || length !== 0) {
    const after =
      callee === unshift && tags !== undefined ? binary('+', before, length, args.length, 0, self.length) : opaque(self.length, length, tag)
    output(known.place('length'), self, before, self.length, after, site)
    if (callee === unshift) T.t = after
  }
  const keep = callee === unshift ? T.t : tag
  writeOrder(self, known, tag, site)
  T.t = keep
  if (result === self) T.t = ts
  else if (callee === splice) adoptNew(result)
  return result
})
const unshift: unknown = Array.prototype.unshift
const splice: unknown = Array.prototype.splice

/** Reads all of it. */
const reading: Handler = (callee, self, ts, args, tags, site) =>
  native(callee, self, ts, args, tags, isArray(self) ? readArray(self, site) : 0)
handle(
  Array.prototype,
  'forEach find findIndex findLast findLastIndex indexOf lastIndexOf includes some every reduce reduceRight join keys values entries at toString',
  reading,
)

/** ... and gives a new array. */
const copying: Handler = (callee, self, ts, args, tags, site) => {
  const result = reading(callee, self, ts, args, tags, site)
  adoptNew(result)
  return result
}
handle(Array.prototype, 'map filter slice concat flat flatMap with toSorted toReversed toSpliced', copying)
handle(String.prototype, 'split', (callee, self, ts, args, tags) => {
  const result = native(callee, self, ts, args, tags, 0)
  adoptNew(result)
  return result
})
