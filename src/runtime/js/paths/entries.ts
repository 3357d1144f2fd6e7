/** Map, Set, WeakMap and WeakSet: entries and sizes exactly, the keys as a whole where the program iterates over them. */
import { types } from 'node:util'
import { native } from './calls.ts'
import { binary, index, T, unary } from './expressions.ts'
import { EACH, handle, tagAt, together, type Handler } from './handlers.ts'
import { input, inputEntry, output, outputEntry, readKeys, writeKeys } from './locations.ts'
import { knownOf, type Known } from './objects.ts'

const mapHas = Map.prototype.has
const mapGet = Map.prototype.get
const setHas = Set.prototype.has
const weakMapHas = WeakMap.prototype.has
const weakMapGet = WeakMap.prototype.get
const weakSetHas = WeakSet.prototype.has
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get!

const isWhole = (self: unknown): self is Map<unknown, unknown> | Set<unknown> => types.isMap(self) || types.isSet(self)
const isWeak = (self: unknown): self is object => types.isWeakMap(self) || types.isWeakSet(self)
const isKeyed = (self: unknown): boolean => types.isMap(self) || types.isWeakMap(self)

const sizeNow = (self: object): number =>
  types.isMap(self) ? (sizeOfMap.call(self) as number) : types.isSet(self) ? (sizeOfSet.call(self) as number) : 0

function hasNow(self: object, key: unknown): boolean {
  if (types.isMap(self)) return mapHas.call(self, key)
  if (types.isSet(self)) return setHas.call(self, key)
  return types.isWeakMap(self) ? weakMapHas.call(self, key as object) : weakSetHas.call(self as WeakSet<object>, key as object)
}

/** The tag of an entry as it is now. */
function entry(self: object, known: Known, key: unknown, site: number): number {
  const has = hasNow(self, key)
  const value: unknown = !has
    ? undefined
    : types.isMap(self)
      ? mapGet.call(self, key)
      : types.isWeakMap(self)
        ? weakMapGet.call(self, key as object)
        : true
  return inputEntry(self, known, key, has, value, site)
}

export function readSize(self: object, site: number): number {
  const known = knownOf(self)
  return input(known.place('size'), self, known, sizeNow(self), site)
}

/** An entry was added (`sign` +) or removed, or would have been. `by`: the tag of whether it was. */
function resized(self: object, known: Known, before: number, sign: '+' | '-', by: number, site: number): void {
  if (isWeak(self)) return
  const after = sizeNow(self)
  if (before === after && by === 0) return
  const size = input(known.place('size'), self, known, before, site)
  const change = Math.abs(after - before)
  output(
    known.place('size'),
    self,
    before,
    after,
    binary(sign, before, size, change, unary('call Number', change === 1, by, change), after),
    site,
  )
  writeKeys(self, known, by, site)
}

const getting: Handler = (callee, self, ts, args, tags, site) => {
  if (!isWhole(self) && !isWeak(self)) return native(callee, self, ts, args, tags, 0)
  index(site, args[0], tagAt(tags, 0))
  const held = entry(self, knownOf(self), args[0], site)
  const value: unknown = Reflect.apply(callee, self, args)
  T.t = unary('get', value, held, value)
  return value
}
handle(Map.prototype, 'get', getting)
handle(WeakMap.prototype, 'get', getting)

const asking: Handler = (callee, self, ts, args, tags, site) => {
  if (!isWhole(self) && !isWeak(self)) return native(callee, self, ts, args, tags, 0)
  index(site, args[0], tagAt(tags, 0))
  const held = entry(self, knownOf(self), args[0], site)
  const value: unknown = Reflect.apply(callee, self, args)
  T.t = unary('has', value, held, value)
  return value
}

const putting: Handler = (callee, self, ts, args, tags, site) => {
  if (!isWhole(self) && !isWeak(self)) return native(callee, self, ts, args, tags, 0)
  index(site, args[0], tagAt(tags, 0))
  const known = knownOf(self)
  const before = sizeNow(self)
  const has = hasNow(self, args[0])
  const there = unary('has', has, entry(self, known, args[0], site), has)
  const result: unknown = Reflect.apply(callee, self, args)
  const value = isKeyed(self) ? args[1] : true
  outputEntry(self, known, args[0], true, value, isKeyed(self) ? tagAt(tags, 1) : 0, site)
  resized(self, known, before, '+', unary('!', has, there, !has), site)
  T.t = ts
  return result
}
handle(Map.prototype, 'set', putting)
handle(WeakMap.prototype, 'set', putting)

const removing: Handler = (callee, self, ts, args, tags, site) => {
  if (!isWhole(self) && !isWeak(self)) return native(callee, self, ts, args, tags, 0)
  index(site, args[0], tagAt(tags, 0))
  const known = knownOf(self)
  const before = sizeNow(self)
  const has = hasNow(self, args[0])
  const there = unary('has', has, entry(self, known, args[0], site), has)
  const result: unknown = Reflect.apply(callee, self, args)
  outputEntry(self, known, args[0], false, undefined, 0, site)
  resized(self, known, before, '-', there, site)
  T.t = there
  return result
}

for (const prototype of [Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype]) {
  handle(prototype, 'has', asking)
  handle(prototype, 'delete', removing)
}
for (const prototype of [Set.prototype, WeakSet.prototype]) handle(prototype, 'add', putting)

const clearing: Handler = (callee, self, ts, args, tags, site) => {
  if (!isWhole(self)) return native(callee, self, ts, args, tags, 0)
  const known = knownOf(self)
  const before = sizeNow(self)
  const result: unknown = Reflect.apply(callee, self, args)
  for (const key of known.knownEntries?.keys() ?? []) outputEntry(self, known, key, false, undefined, 0, site)
  output(known.place('size'), self, before, 0, 0, site)
  writeKeys(self, known, 0, site)
  T.t = 0
  return result
}
handle(Map.prototype, 'clear', clearing)
handle(Set.prototype, 'clear', clearing)

/** Goes over all of it. */
const wholly: Handler = (callee, self, ts, args, tags, site) =>
  native(callee, self, ts, args, tags, isWhole(self) ? readCollection(self, site) : 0)
handle(Map.prototype, 'keys values entries forEach', wholly)
handle(Set.prototype, 'keys values entries forEach', wholly)
handle(Set.prototype, 'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom', wholly)

/** The keys, and what stands under them as far as it is known. */
export function readCollection(self: object, site: number): number {
  const known = knownOf(self)
  const keys = readKeys(self, known, site)
  const entries = known.knownEntries
  if (!types.isMap(self) || entries === undefined || entries.size > EACH) return keys
  const tags = [keys]
  for (const key of entries.keys()) if (mapHas.call(self, key)) tags.push(entry(self, known, key, site))
  return together(self, tags)
}
