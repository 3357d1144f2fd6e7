/**
 * Accesses to properties, elements and entries, with locations named as in docs/event-loop.md. Every instrumented line runs this code, so the common
 * cases come first and do little.
 */
import { types } from 'node:util'
import { ELEMENTS, KEYS, ORDER } from './names.ts'
import { ARRAY, Entry, kindOf, MAP, PLAIN, SET, Shadow, shadowOf, TYPED, WEAK_MAP, WEAK_SET } from './shadow.ts'
import { isObject } from '../../../base/objects.ts'
import { Slot, type State } from './slot.ts'
import { read, write, wroteEarlier } from './slot-accesses.ts'
import { segment, segmentTurn } from '../turns.ts'
import { UNKNOWN } from './value.ts'

/** Elements of typed arrays beyond this one are not looked at: their number is what makes such programs slow. */
const TYPED_ELEMENTS = 1024
/** Collections with more keys in use than this are read as a whole only by which keys they have. */
const EACH = 32
/** Objects read by one JSON.stringify. */
const DEEP = 300

const mapHas = Map.prototype.has
const setHas = Set.prototype.has
const { hasOwn } = Object

function readKey(shadow: Shadow, owner: object, key: unknown, site: number): void {
  const place = shadow.placeOf(key)
  const state = shadow.at(place, key)
  const next = read(state, shadow, owner, key, site)
  if (next !== state) shadow.put(place, key, next)
}
function writeKey(shadow: Shadow, owner: object, key: unknown, site: number): void {
  const place = shadow.placeOf(key)
  const state = shadow.at(place, key)
  const next = write(state, shadow, owner, key, site, UNKNOWN)
  if (next !== state) shadow.put(place, key, next)
}
function readItem(shadow: Shadow, owner: object, index: number, site: number): void {
  const { items } = shadow
  const state = items[index]
  const next = read(state, shadow, owner, index, site)
  if (next !== state) items[index] = next
}
function writeItem(shadow: Shadow, owner: object, index: number, site: number, value: unknown): void {
  const { items } = shadow
  const state = items[index]
  const next = write(state, shadow, owner, index, site, value)
  if (next !== state) items[index] = next
}

/** The index an element has, or -1 when `key` is the name of a property. */
function indexOf(key: unknown): number {
  if (typeof key === 'number') return key >= 0 && Number.isInteger(key) ? key : -1
  return typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : -1
}

/** Could it be more than a property? Only then is it worth asking what kind of object it is. */
function isSpecial(key: unknown): boolean {
  if (typeof key !== 'string') return typeof key === 'number'
  // To ask for a character that is not there makes the engine compile all of it again.
  const c = key.length === 0 ? 0 : key.charCodeAt(0)
  return (c >= 48 && c <= 57) || key === 'length' || key === 'size'
}

export function readProperty(object: object, key: unknown, site: number): void {
  // What name it stands for only the program could tell.
  if (isObject(key)) return
  const shadow = shadowOf(object)
  if (isSpecial(key) && readElement(object, shadow, key, site)) return
  readKey(shadow, object, key, site)
}

/** Was it an element, or the length? */
function readElement(object: object, shadow: Shadow, key: unknown, site: number): boolean {
  const kind = kindOf(object, shadow)
  if (key === 'size' && (kind === MAP || kind === SET)) {
    readKeys(object, shadow, site)
    return true
  }
  if (kind !== ARRAY && kind !== TYPED) return false
  if (key === 'length') {
    if (kind === ARRAY) readWhole(object, shadow, site)
    return true
  }
  const index = indexOf(key)
  if (index < 0) return false
  if (kind === TYPED && index >= TYPED_ELEMENTS) return true
  readItem(shadow, object, index, site)
  if (kind === ARRAY) readKey(shadow, object, ORDER, site)
  return true
}

export function writeProperty(object: object, key: unknown, site: number, value: unknown): void {
  if (isObject(key)) return
  const shadow = shadowOf(object)
  if (isSpecial(key) && writeElement(object, shadow, key, site, value)) return
  const place = shadow.placeOf(key)
  const state = shadow.at(place, key)
  if (state === undefined) writeIfNew(object, shadow, key, site)
  const next = write(state, shadow, object, key, site, value)
  if (next !== state) shadow.put(place, key, next)
}

/** A property that was not there before changes which keys the object has. Most objects get all of theirs in one segment. */
function writeIfNew(object: object, shadow: Shadow, key: unknown, site: number): void {
  if (shadow.addedIn === segment || (typeof key === 'string' && key.charCodeAt(0) === 35) /* private */) return
  if (types.isProxy(object) || hasOwn(object, key as PropertyKey)) return
  if (shadow.addedIn === -1 && shadow.at(shadow.placeOf(KEYS), KEYS) === undefined) {
    shadow.addedIn = segment
    shadow.addedTurn = segmentTurn
    shadow.addedSite = site
  } else writeKeys(object, shadow, site)
}

/** Somebody asks which keys it has: what was added before counts as a write of that. */
function noteAdded(shadow: Shadow): void {
  const place = shadow.placeOf(KEYS)
  if (shadow.addedIn < 0 || shadow.at(place, KEYS) !== undefined) return
  const slot = new Slot(KEYS)
  wroteEarlier(slot, shadow.addedIn, shadow.addedTurn, shadow.addedSite)
  shadow.put(place, KEYS, slot)
}

function readKeys(object: object, shadow: Shadow, site: number): void {
  noteAdded(shadow)
  readKey(shadow, object, KEYS, site)
}
function writeKeys(object: object, shadow: Shadow, site: number): void {
  noteAdded(shadow)
  writeKey(shadow, object, KEYS, site)
}

function writeElement(object: object, shadow: Shadow, key: unknown, site: number, value: unknown): boolean {
  const kind = kindOf(object, shadow)
  if (kind !== ARRAY && kind !== TYPED) return false
  if (key === 'length') {
    if (kind === ARRAY) writeWhole(object, shadow, site)
    return true
  }
  const index = indexOf(key)
  if (index < 0) return false
  if (kind === TYPED && index >= TYPED_ELEMENTS) return true
  writeItem(shadow, object, index, site, value)
  writeKey(shadow, object, ELEMENTS, site)
  return true
}

export function deleteProperty(object: object, key: unknown, site: number): void {
  writeProperty(object, key, site, undefined)
  writeKeys(object, shadowOf(object), site)
}

function readWhole(object: object, shadow: Shadow, site: number): void {
  readKey(shadow, object, ELEMENTS, site)
  readKey(shadow, object, ORDER, site)
}

function writeWhole(object: object, shadow: Shadow, site: number): void {
  readKey(shadow, object, ELEMENTS, site)
  writeKey(shadow, object, ORDER, site)
}

/** The keys of an object and, as far as it goes, what they hold. */
export function readAll(object: object, site: number): void {
  const shadow = shadowOf(object)
  const kind = kindOf(object, shadow)
  if (kind === ARRAY || kind === TYPED) return readWhole(object, shadow, site)
  readKeys(object, shadow, site)
  if (kind === MAP) {
    if (shadow.entries !== undefined && shadow.entries.size <= EACH) {
      for (const by of shadow.entries.keys()) readKnownEntry(object, shadow, by, site)
    }
  } else if (kind === PLAIN) {
    for (const key of shadow.known()) readKey(shadow, object, key, site)
    if (types.isProxy(object)) return
    // Nobody has named them so far, but somebody may write them later.
    let left = EACH
    for (const key of Object.keys(object)) if (left-- > 0) readProperty(object, key, site)
  }
}

/** A value and what it is made of, as far as a few hundred objects go. Getters and toJSON speak for themselves. */
export function readDeep(value: object, site: number): void {
  const seen = new Set([value])
  for (const object of seen) {
    if (types.isProxy(object)) continue
    readAll(object, site)
    let left = EACH
    for (const key of Object.keys(object)) {
      if (left-- <= 0) break
      const inner: unknown = Object.getOwnPropertyDescriptor(object, key)?.value
      if (isObject(inner) && typeof inner !== 'function' && seen.size < DEEP) seen.add(inner)
    }
  }
}

/** A whole iteration: only of what is known to iterate over itself. */
export function readIteration(object: object, site: number): void {
  const kind = kindOf(object, shadowOf(object))
  if (kind === ARRAY || kind === TYPED || kind === MAP || kind === SET) readAll(object, site)
}

export function assign(target: unknown, source: unknown, site: number): void {
  if (!isObject(source) || types.isProxy(source)) return
  readAll(source, site)
  if (!isObject(target)) return
  for (const key of Object.keys(source).slice(0, 2 * EACH)) {
    readProperty(source, key, site)
    writeProperty(target, key, site, UNKNOWN)
  }
}

const ARRAY_WRITES = new Set(['push', 'unshift', 'sort', 'reverse', 'fill', 'copyWithin', 'set'])
/** These also tell what the array held. */
const ARRAY_TAKES = new Set(['pop', 'shift', 'splice'])
const NOT_OF_ARRAYS = new Set(['get', 'has', 'delete', 'add', 'clear', 'getOrInsert', 'getOrInsertComputed'])

/** A method with the name of one that collections have. `key` is its first argument, if it got one. */
export function callMethod(object: object, name: string, site: number, key: unknown): void {
  const shadow = shadowOf(object)
  switch (kindOf(object, shadow)) {
    case ARRAY:
      return arrayMethod(object, shadow, name, site, key)
    case TYPED:
      if (ARRAY_WRITES.has(name)) writeWhole(object, shadow, site)
      else if (!NOT_OF_ARRAYS.has(name)) readWhole(object, shadow, site)
      return
    case MAP:
    case WEAK_MAP:
      return mapMethod(object, shadow, name, site, key)
    case SET:
    case WEAK_SET:
      return setMethod(object, shadow, name, site, key)
    default:
      return readProperty(object, name, site)
  }
}

function arrayMethod(object: object, shadow: Shadow, name: string, site: number, key: unknown): void {
  if (NOT_OF_ARRAYS.has(name) || name === 'set') return readProperty(object, name, site)
  if (name === 'at') {
    const index = indexOf(key)
    return index < 0 ? readWhole(object, shadow, site) : void readElement(object, shadow, index, site)
  }
  if (ARRAY_TAKES.has(name)) readKey(shadow, object, ORDER, site)
  if (ARRAY_TAKES.has(name) || ARRAY_WRITES.has(name)) writeWhole(object, shadow, site)
  else readWhole(object, shadow, site)
}

function readEntry(object: object, shadow: Shadow, key: unknown, site: number): void {
  readKnownEntry(object, shadow, Shadow.entryOf(key), site)
}

function readKnownEntry(object: object, shadow: Shadow, by: unknown, site: number): void {
  const state = shadow.entries?.get(by)
  const next = read(state, shadow, object, entryKey(state, by), site)
  if (next !== state) shadow.putEntry(by, next)
}

/** What a slot of it is called, where there is none yet. */
function entryKey(state: State, by: unknown): Entry | undefined {
  if (state instanceof Slot) return undefined
  return by instanceof Shadow ? new Entry(by.numbered(), true) : new Entry(by, false)
}

function writeEntry(object: object, shadow: Shadow, key: unknown, site: number, value: unknown): void {
  writeKnownEntry(object, shadow, Shadow.entryOf(key), site, value)
}

function writeKnownEntry(object: object, shadow: Shadow, by: unknown, site: number, value: unknown): void {
  const state = shadow.entries?.get(by)
  const next = write(state, shadow, object, entryKey(state, by), site, value)
  if (next !== state) shadow.putEntry(by, next)
}

function mapMethod(object: object, shadow: Shadow, name: string, site: number, key: unknown): void {
  const weak = shadow.kind === WEAK_MAP
  const has = (): boolean => !weak && mapHas.call(object, key)
  switch (name) {
    case 'get':
    case 'has':
      return readEntry(object, shadow, key, site)
    case 'set':
      if (!has()) writeKeys(object, shadow, site)
      return writeEntry(object, shadow, key, site, UNKNOWN)
    case 'getOrInsert':
    case 'getOrInsertComputed':
      readEntry(object, shadow, key, site)
      if (has()) return
      writeKeys(object, shadow, site)
      return writeEntry(object, shadow, key, site, UNKNOWN)
    case 'delete':
      if (!weak && !has()) return readEntry(object, shadow, key, site)
      writeKeys(object, shadow, site)
      return writeEntry(object, shadow, key, site, undefined)
    case 'clear':
      return clear(object, shadow, site)
    default:
      return readAll(object, site)
  }
}

function setMethod(object: object, shadow: Shadow, name: string, site: number, key: unknown): void {
  const has = (): boolean => shadow.kind === SET && setHas.call(object, key)
  switch (name) {
    case 'has':
      return readEntry(object, shadow, key, site)
    case 'add':
      if (has()) return readEntry(object, shadow, key, site)
      writeKeys(object, shadow, site)
      return writeEntry(object, shadow, key, site, true)
    case 'delete':
      if (shadow.kind === SET && !has()) return readEntry(object, shadow, key, site)
      writeKeys(object, shadow, site)
      return writeEntry(object, shadow, key, site, undefined)
    case 'clear':
      return clear(object, shadow, site)
    default:
      return readAll(object, site)
  }
}

function clear(object: object, shadow: Shadow, site: number): void {
  writeKeys(object, shadow, site)
  if (shadow.entries === undefined) return
  for (const by of shadow.entries.keys()) writeKnownEntry(object, shadow, by, site, undefined)
}
