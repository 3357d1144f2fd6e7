/**
 * Reads and writes of properties: what kind of location a key names, and where the value comes from. Getters and setters are calls. A method on a
 * prototype is not an input.
 */
import { types } from 'node:util'
import { readItem, readLength, writeItem } from './arrays.ts'
import { isBuiltin } from './builtins.ts'
import { invoke, native } from './calls.ts'
import { isNative, set, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { readSize } from './entries.ts'
import { opaque, T, unknown } from './expressions.ts'
import { input, isNew, oldValue, output, writeElements, writeKeys, writeOrder } from './locations.ts'
import { knownOf, type Known } from './objects.ts'

const PLAIN = 1
const ARRAY = 2
const TYPED = 3
const COLLECTION = 4
const PROXY = 5
const BUILTIN = 6

type Properties = Record<PropertyKey, unknown>

function kindOf(object: object): number {
  if (types.isProxy(object)) return PROXY
  if (Array.isArray(object)) return ARRAY
  if (types.isMap(object) || types.isSet(object)) return COLLECTION
  if (types.isTypedArray(object)) return TYPED
  return isBuiltin(object) ? BUILTIN : PLAIN
}

/** Elements of typed arrays beyond this one are not looked at. */
const TYPED_ELEMENTS = 1024

/** The index a key names, or -1. */
export function indexOf(key: unknown): number {
  if (typeof key === 'number') return key >= 0 && Number.isInteger(key) && key < 4294967295 ? key : -1
  return typeof key === 'string' && /^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1
}

/** What a prototype has under a key. */
const METHOD = 1
type Inherited = typeof METHOD | PropertyDescriptor | Accessor | undefined
const inheritedFrom = new WeakMap<object, Map<PropertyKey, Inherited>>()

function inherited(object: object, key: PropertyKey): Inherited {
  let at = Object.getPrototypeOf(object) as object | null
  while (at !== null) {
    let known = inheritedFrom.get(at)
    if (known === undefined) inheritedFrom.set(at, (known = new Map()))
    const found = known.get(key)
    if (found !== undefined) return found
    if (types.isProxy(at)) return undefined
    const property = Object.getOwnPropertyDescriptor(at, key)
    if (property !== undefined) {
      const isMethod = typeof property.value === 'function'
      if (isMethod || 'get' in property) known.set(key, isMethod ? METHOD : property)
      return isMethod ? METHOD : property
    }
    at = Object.getPrototypeOf(at) as object | null
  }
  return undefined
}

const isAccessor = (property: Inherited): property is Accessor => typeof property === 'object' && !('value' in property)
interface Accessor {
  get?(): unknown
  set?(value: unknown): void
}

/** Puts the tag of `base[key]` into the register and returns the value. */
export function readProperty(base: object, tb: number, key: unknown, site: number): unknown {
  if (isObject(key)) {
    const value = (base as Properties)[key as unknown as string]
    T.t = unknown(value)
    return value
  }
  const known = knownOf(base)
  const kind = known.kind === 0 ? (known.kind = kindOf(base)) : known.kind
  if (kind !== PLAIN && readSpecial(base, tb, known, kind, key, site)) return special
  const name = typeof key === 'number' ? String(key) : (key as PropertyKey)
  let place = known.find(name)
  if (place === undefined) {
    const own = Object.getOwnPropertyDescriptor(base, name)
    const property = own ?? inherited(base, name)
    if (isAccessor(property)) return callGetter(base, tb, property.get as AnyFunction | undefined)
    if (property === METHOD) {
      T.t = 0
      return (base as Properties)[name]
    }
    place = known.place(name)
  }
  const value = (base as Properties)[name]
  T.t = input(place, base, known, value, site)
  return value
}

let special: unknown

/** Was it more than a property? Then `special` is its value. */
function readSpecial(base: object, tb: number, known: Known, kind: number, key: unknown, site: number): boolean {
  switch (kind) {
    case ARRAY: {
      const index = indexOf(key)
      if (index >= 0) {
        special = (base as unknown[])[index]
        T.t = readItem(base, index, special, site)
        return true
      }
      if (key !== 'length') return false
      special = (base as unknown[]).length
      T.t = readLength(base as unknown[], site)
      return true
    }
    case TYPED: {
      const index = indexOf(key)
      if (index < 0 && typeof key === 'symbol') return false
      special = (base as Properties)[key as string]
      T.t = index >= 0 && index < TYPED_ELEMENTS ? input(known.item(index), base, known, special, site) : 0
      return true
    }
    case COLLECTION:
      if (key !== 'size') return false
      special = (base as { size: number }).size
      T.t = readSize(base, site)
      return true
    case BUILTIN:
      special = (base as Properties)[key as string]
      T.t = 0
      return true
    default:
      special = native(getOf as AnyFunction, undefined, tb, [base, key], [0, 0], 0)
      return true
  }
}

const getOf = (base: Properties, key: string): unknown => base[key]

function callGetter(base: object, tb: number, getter: AnyFunction | undefined): unknown {
  if (getter === undefined) {
    T.t = 0
    return undefined
  }
  return isNative(getter) ? native(getter, base, tb, [], [], 0) : invoke(getter, base, tb, [], [])
}

/** `base[key] = value`, carried out and written. */
export function writeProperty(
  base: object,
  tb: number,
  key: unknown,
  value: unknown,
  tv: number,
  site: number,
  strict: 0 | 1,
  asked: AnyFunction,
): void {
  if (isObject(key)) return set(base, key, value, strict, asked)
  const known = knownOf(base)
  const kind = known.kind === 0 ? (known.kind = kindOf(base)) : known.kind
  if (kind === PROXY) {
    native(setOf as AnyFunction, undefined, tb, [base, key, value, strict, asked], [0, 0, tv, 0, 0], 0)
    return
  }
  if (kind === BUILTIN) return set(base, key, value, strict, asked)
  if ((kind === ARRAY || kind === TYPED) && writeElement(base, known, kind, key, value, tv, site, strict, asked)) return
  const name = typeof key === 'number' ? String(key) : (key as PropertyKey)
  let place = known.find(name)
  let isAdded = false
  if (place === undefined) {
    const own = Object.getOwnPropertyDescriptor(base, name)
    const property = own ?? inherited(base, name)
    if (isAccessor(property)) return callSetter(base, tb, property.set as AnyFunction | undefined, key, value, tv, strict, asked)
    isAdded = own === undefined
    place = known.place(name)
  }
  const old = place.location < 0 ? oldValue(base, known, name) : undefined
  set(base, name, value, strict, asked)
  output(place, base, old, value, tv, site)
  if (isAdded && !isNew(known)) writeKeys(base, known, 0, site)
}

const setOf = (base: object, key: unknown, value: unknown, strict: 0 | 1, asked: AnyFunction): void => set(base, key, value, strict, asked)

function callSetter(
  base: object,
  tb: number,
  setter: AnyFunction | undefined,
  key: unknown,
  value: unknown,
  tv: number,
  strict: 0 | 1,
  asked: AnyFunction,
): void {
  if (setter === undefined) set(base, key, value, strict, asked)
  else if (isNative(setter)) native(setter, base, tb, [value], [tv], 0)
  else invoke(setter, base, tb, [value], [tv])
}

/** Was it an element, or the length? */
function writeElement(
  base: object,
  known: Known,
  kind: number,
  key: unknown,
  value: unknown,
  tv: number,
  site: number,
  strict: 0 | 1,
  asked: AnyFunction,
): boolean {
  const index = indexOf(key)
  if (kind === TYPED) {
    set(base, key, value, strict, asked)
    if (index < 0 || index >= Math.min(TYPED_ELEMENTS, (base as Uint8Array).length)) return true
    const held = (base as Properties)[index]
    output(known.item(index), base, undefined, held, Object.is(held, value) ? tv : opaque(held, tv), site)
    return true
  }
  const array = base as unknown[]
  if (index >= 0) {
    const write = writeItem(array, index)
    set(base, index, value, strict, asked)
    write(value, tv, site)
    return true
  }
  if (key !== 'length') return false
  const before = array.length
  set(base, key, value, strict, asked)
  output(known.place('length'), base, isNew(known) ? undefined : before, array.length, tv, site)
  writeOrder(base, known, tv, site)
  writeElements(base, known, tv, site)
  return true
}

/** The tag of what a property holds, if no getter stands there and nothing of the program would run; undefined otherwise. */
export function tagOfProperty(base: object, key: unknown, site: number): { readonly tag: number; readonly value: unknown } | undefined {
  if (isObject(key)) return undefined
  const known = knownOf(base)
  const kind = known.kind === 0 ? (known.kind = kindOf(base)) : known.kind
  if (kind === PROXY) return undefined
  if (kind === BUILTIN) return { tag: 0, value: undefined }
  const index = kind === ARRAY ? indexOf(key) : -1
  if (index >= 0) {
    const value: unknown = Object.getOwnPropertyDescriptor(base, index)?.value
    return { tag: readItem(base, index, value, site), value }
  }
  if (kind === ARRAY && key === 'length') return { tag: readLength(base as unknown[], site), value: (base as unknown[]).length }
  const name = typeof key === 'number' ? String(key) : (key as PropertyKey)
  const property = Object.getOwnPropertyDescriptor(base, name) ?? inherited(base, name)
  if (property === METHOD) return { tag: 0, value: undefined }
  if (isAccessor(property)) return undefined
  const value: unknown = (property as PropertyDescriptor | undefined)?.value
  return { tag: input(known.place(name), base, known, value, site), value }
}
