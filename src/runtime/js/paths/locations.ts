/**
 * Reads and writes of locations as rows, with the shadow that makes a later read in the same turn the same expression. Locations are properties,
 * elements, entries of collections, variables; and for arrays and collections the contents as a whole, whose value is the number of the last change.
 */
import { READ, WRITE } from '../../../trace/ops.ts'
import { ELEMENTS, KEYS, locationName, ORDER } from '../memory/names.ts'
import { Entry, numberOf } from '../memory/shadow.ts'
import { isObject } from '../../../base/objects.ts'
import { Coded, codeOf, inputRow, opaque, use, writeRow } from './expressions.ts'
import { here, ready, rows, turn } from './here.ts'
import { isSeen, knownOf, made, type Known, type TaggedPlace, type Whole } from './objects.ts'
import { NONE } from './rows.ts'

function locationOf(place: TaggedPlace, owner: object, epoch = 0): number {
  if (!rows.keeps) return NONE
  if (place.location < 0) {
    const key = place.key
    // After elements have got other places it is another location: what was written before is somewhere else now.
    place.location = rows.locations.fresh(() => (epoch === 0 ? locationName(owner, key) : `${locationName(owner, key)} of order ${epoch}`))
  }
  return place.location
}

/** Is the tag in the place that of this turn? */
const isFresh = (place: TaggedPlace): boolean => place.turn === turn && (place.tag === 0 || place.tag > rows.base)

/** Nobody else can have seen the object yet: it was made in this turn. */
export const isNew = (known: Known): boolean => known.made && known.born === turn

/** The tag of what is in a place of an object, which holds this value. */
export function input(place: TaggedPlace, owner: object, known: Known, value: unknown, site: number): number {
  if (!rows.on) return 0
  here()
  if (isFresh(place)) return use(place.tag)
  if (isNew(known)) {
    place.turn = turn
    place.tag = opaque(value, known.origin)
    if (known.origin !== 0 && isObject(value) && !isSeen(value)) made(value).origin = place.tag
    return place.tag
  }
  return read(place, owner, codeOf(value), site, known.epoch)
}

/** The same for a variable. */
export function inputVariable(place: TaggedPlace, scope: object, value: unknown, site: number): number {
  if (!rows.on) return 0
  here()
  return isFresh(place) ? use(place.tag) : read(place, scope, codeOf(value), site, 0)
}

function read(place: TaggedPlace, owner: object, code: number, site: number, epoch: number): number {
  if (!ready()) return 0
  place.turn = turn
  return (place.tag = inputRow(READ, locationOf(place, owner, epoch), code, site))
}

/** The owner is new: nobody has seen the place before. */
export const FRESH = Symbol('fresh')

/** Something is written to a place. `old`: what it held, for places that no row has spoken of. */
export function output(place: TaggedPlace, owner: object, old: unknown, value: unknown, tag: number, site: number, epoch = 0): void {
  if (!rows.on) return
  write(place, owner, place.location >= 0 || old === FRESH ? FRESH : codeOf(old), codeOf(value), tag, site, epoch)
  if (isObject(value)) knownOf(value)
}

function write(
  place: TaggedPlace,
  owner: object,
  old: number | typeof FRESH,
  code: number,
  tag: number,
  site: number,
  epoch: number,
): void {
  if (!ready()) return
  if (place.location < 0 && typeof old === 'number') inputRow(READ, locationOf(place, owner, epoch), old, site)
  place.turn = turn
  place.wrote = turn
  place.tag = use(tag)
  writeRow(WRITE, locationOf(place, owner, epoch), code, tag, site)
}

/** What a property holds, without running a getter. */
export function oldValue(owner: object, known: Known, key: unknown): unknown {
  return isNew(known) ? FRESH : Object.getOwnPropertyDescriptor(owner, key as string)?.value
}

/** Of what changes as a whole: which change was the last, as a value. */
const versionCode = (owner: object, { version }: Whole): number =>
  rows.keeps ? rows.values.codeOf({ object: `${numberOf(owner)} changed ${version}` }) : 0

function readVersion(place: Whole, owner: object, known: Known, site: number): number {
  if (!rows.on) return 0
  here()
  if (isFresh(place)) return use(place.tag)
  if (isNew(known)) return known.origin
  return read(place, owner, versionCode(owner, place), site, 0)
}

/** The whole has changed, by a change that depended on `tag` and on what it was before. */
function writeVersion(place: Whole, owner: object, known: Known, tag: number, site: number): void {
  if (!rows.on) return
  here()
  // Nobody can see it between two changes of one turn.
  if (place.wrote === turn && tag === 0) return
  const before = readVersion(place, owner, known, site)
  const old = versionCode(owner, place)
  place.version++
  const code = versionCode(owner, place)
  write(place, owner, isNew(known) ? FRESH : old, code, opaque(new Coded(code), before, tag), site, 0)
}

/** Which elements an array has and in which order; what they are. */
export const readOrder = (array: object, known: Known, site: number): number => readVersion(known.whole(ORDER), array, known, site)
export const readElements = (array: object, known: Known, site: number): number => readVersion(known.whole(ELEMENTS), array, known, site)
export const writeElements = (array: object, known: Known, tag: number, site: number): void =>
  writeVersion(known.whole(ELEMENTS), array, known, tag, site)
export function writeOrder(array: object, known: Known, tag: number, site: number): void {
  writeVersion(known.whole(ORDER), array, known, tag, site)
  writeVersion(known.whole(ELEMENTS), array, known, tag, site)
}
/** Which keys a collection (or an object) has. */
export const readKeys = (owner: object, known: Known, site: number): number => readVersion(known.whole(KEYS), owner, known, site)
export const writeKeys = (owner: object, known: Known, tag: number, site: number): void =>
  writeVersion(known.whole(KEYS), owner, known, tag, site)

const ABSENT = { object: 'absent' } as const
const entryCode = (has: boolean, value: unknown): number => (has ? codeOf(value) : rows.keeps ? rows.values.codeOf(ABSENT) : 0)

const entryKey = (key: unknown): Entry => new Entry(isObject(key) ? numberOf(key) : key, isObject(key))

/** An entry of a Map or Set: its value, or that it is absent. */
export function inputEntry(owner: object, known: Known, key: unknown, has: boolean, value: unknown, site: number): number {
  here()
  const place = known.entry(key, entryKey)
  if (isFresh(place)) return use(place.tag)
  if (!isNew(known)) return read(place, owner, entryCode(has, value), site, 0)
  place.turn = turn
  return (place.tag = opaque(has ? value : new Coded(entryCode(has, value)), known.origin))
}

export function outputEntry(owner: object, known: Known, key: unknown, has: boolean, value: unknown, tag: number, site: number): void {
  write(known.entry(key, entryKey), owner, FRESH, entryCode(has, value), tag, site, 0)
  if (has && isObject(value)) knownOf(value)
}
