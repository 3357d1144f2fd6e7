/**
 * What Heddle knows about an object: its number and its slots. It is a private field of the object, added by a constructor that returns its argument.
 * This works for frozen objects and proxies, runs no trap, is invisible to the program, and is collected with the object.
 */
import { isObject } from '../../../base/objects.ts'
import { types } from 'node:util'
import type { State } from './slot.ts'
import { Identity } from '../identity.ts'

export const PLAIN = 1
export const ARRAY = 2
export const TYPED = 3
export const MAP = 4
export const SET = 5
export const WEAK_MAP = 6
export const WEAK_SET = 7

/** Objects with more keys than this get a table. */
const FEW = 12
/** More keys than this are not remembered: the oldest are given up, so that a cache with ever new keys does not grow here for ever. */
const MANY = 10_000

let numbers = 0

/** What few objects need. */
class Rest {
  /** By key, for objects with many. */
  table: Map<unknown, State> | undefined = undefined
  /** Elements of arrays, by index. */
  items: State[] | undefined = undefined
  /** Keys of Maps and Sets. An object that is a key is here by its shadow. */
  entries: Map<unknown, State> | undefined = undefined
}

export class Shadow {
  number = 0
  /** One of the kinds above, once somebody asked. */
  kind = 0
  /** The first segment that touched it, and its turn: see slot.ts. */
  firstSegment = -1
  firstTurn = 0
  /** Keys, and after each what is known of the location. */
  private pairs: unknown[] | undefined = undefined
  private rest: Rest | undefined = undefined
  /** Keys were added to the object, first in this segment: as long as it is the only one there is no slot for it. */
  addedIn = -1
  addedTurn = -1
  addedSite = -1

  /** Its number, which it gets when first asked for. */
  numbered(): number {
    if (this.number === 0) this.number = ++numbers
    return this.number
  }

  /** Where a key is among the first ones, for `at` and `put`; -1 if it is not. */
  placeOf(key: unknown): number {
    const { pairs } = this
    if (pairs !== undefined) for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === key) return i
    return -1
  }

  at(place: number, key: unknown): State {
    return place >= 0 ? (this.pairs![place + 1] as State) : this.rest?.table?.get(key)
  }

  put(place: number, key: unknown, state: State): void {
    if (place >= 0) this.pairs![place + 1] = state
    else if (this.pairs === undefined) this.pairs = [key, state]
    else if (this.pairs.length < 2 * FEW) this.pairs.push(key, state)
    else remember(((this.rest ??= new Rest()).table ??= new Map()), key, state)
  }

  get items(): State[] {
    return ((this.rest ??= new Rest()).items ??= [])
  }

  /** How a key of a Map or Set is known here. */
  static entryOf(key: unknown): unknown {
    return isObject(key) ? shadowOf(key) : key
  }

  putEntry(by: unknown, state: State): void {
    remember(((this.rest ??= new Rest()).entries ??= new Map()), by, state)
  }

  get entries(): ReadonlyMap<unknown, State> | undefined {
    return this.rest?.entries
  }

  /** The names of properties that have been touched; none of objects with very many. */
  known(): string[] {
    const { pairs } = this
    if (pairs === undefined || this.rest?.table !== undefined) return []
    return pairs.filter((key, i): key is string => i % 2 === 0 && typeof key === 'string')
  }
}

/** A key of a Map or Set, as opposed to a property of the object. An object is here by its number. */
export class Entry {
  constructor(
    readonly key: unknown,
    readonly isObject: boolean,
  ) {}
}

function remember(table: Map<unknown, State>, key: unknown, state: State): void {
  if (table.size >= MANY && !table.has(key)) for (const oldest of table.keys()) if (table.delete(oldest)) break
  table.set(key, state)
}

class Stamp extends Identity {
  #shadow: Shadow
  constructor(object: object, shadow: Shadow) {
    super(object)
    this.#shadow = shadow
  }
  static of(object: object): Shadow | undefined {
    return #shadow in object ? (object as Stamp).#shadow : undefined
  }
}

/** For engines that refuse new private fields on objects that are not extensible. */
const refused = new WeakMap<object, Shadow>()

export function shadowOf(object: object): Shadow {
  return Stamp.of(object) ?? stamp(object)
}

function stamp(object: object): Shadow {
  let shadow = refused.get(object)
  if (shadow !== undefined) return shadow
  shadow = new Shadow()
  try {
    new Stamp(object, shadow)
  } catch {
    refused.set(object, shadow)
  }
  return shadow
}

export const numberOf = (object: object): number => shadowOf(object).numbered()

export function kindOf(object: object, shadow: Shadow): number {
  if (shadow.kind === 0) shadow.kind = findKind(object)
  return shadow.kind
}

export function hasElements(object: object): boolean {
  const kind = kindOf(object, shadowOf(object))
  return kind === ARRAY || kind === TYPED
}

function findKind(object: object): number {
  if (types.isProxy(object)) return PLAIN
  if (Array.isArray(object)) return ARRAY
  if (types.isMap(object)) return MAP
  if (types.isSet(object)) return SET
  if (types.isTypedArray(object)) return TYPED
  if (types.isWeakMap(object)) return WEAK_MAP
  return types.isWeakSet(object) ? WEAK_SET : PLAIN
}
