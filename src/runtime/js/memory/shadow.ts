/**
 * What Heddle knows about an object: its number and its slots. It hangs on the object as a private field, put there by a constructor that
 * returns its argument: frozen objects and proxies take it, no trap runs, nobody can see it, and it goes when the object goes.
 */
import { isObject } from '../../../base/objects.ts'
import { types } from 'node:util'
import { Slot } from './slot.ts'
import { Identity } from '../identity.ts'

export const PLAIN = 1
export const ARRAY = 2
export const TYPED = 3
export const MAP = 4
export const SET = 5
export const WEAK_MAP = 6
export const WEAK_SET = 7

/** Objects with more keys than this get a table. */
const FEW = 8
/** More keys than this are not remembered: the oldest are given up, so that a cache with ever new keys does not grow here for ever. */
const MANY = 10_000

let numbers = 0

/** What few objects need. */
class Rest {
  /** Slots by key, for objects with many. */
  table: Map<unknown, Slot> | undefined = undefined
  /** Elements of arrays, by index. */
  items: (Slot | undefined)[] | undefined = undefined
  /** Keys of Maps and Sets. An object that is a key is here by its shadow. */
  entries: Map<unknown, Slot> | undefined = undefined
}

export class Shadow {
  number = 0
  /** One of the kinds above, once somebody asked. */
  kind = 0
  /** The first slot, which has the next. */
  private first: Slot | undefined = undefined
  private count = 0
  private rest: Rest | undefined = undefined
  /** Keys were added to the object, first in this segment: as long as it is the only one there is no slot for it. */
  addedIn = -1
  addedTurn = -1
  addedSite = -1

  find(key: unknown): Slot | undefined {
    for (let slot = this.first; slot !== undefined; slot = slot.next) if (slot.key === key) return slot
    return this.count < FEW ? undefined : this.rest?.table?.get(key)
  }

  add(key: unknown): Slot {
    const slot = new Slot(key)
    if (this.count < FEW) {
      slot.next = this.first
      this.first = slot
    } else remember(((this.rest ??= new Rest()).table ??= new Map()), key, slot)
    this.count++
    return slot
  }

  get(key: unknown): Slot {
    return this.find(key) ?? this.add(key)
  }

  item(index: number): Slot {
    const items = ((this.rest ??= new Rest()).items ??= [])
    return (items[index] ??= new Slot(index))
  }

  entry(key: unknown): Slot {
    const entries = ((this.rest ??= new Rest()).entries ??= new Map())
    const by = isObject(key) ? shadowOf(key) : key
    let slot = entries.get(by)
    if (slot === undefined) remember(entries, by, (slot = new Slot(new Entry(isObject(key) ? numberOf(key) : key, isObject(key)))))
    return slot
  }

  get entries(): ReadonlyMap<unknown, Slot> | undefined {
    return this.rest?.entries
  }

  /** The slots of the properties that have been touched; not those of objects with very many. */
  *known(): Iterable<Slot> {
    if (this.count > FEW) return
    for (let slot = this.first; slot !== undefined; slot = slot.next) yield slot
  }
}

/** A key of a Map or Set, as opposed to a property of the object. An object is here by its number. */
export class Entry {
  constructor(
    readonly key: unknown,
    readonly isObject: boolean,
  ) {}
}

function remember(table: Map<unknown, Slot>, key: unknown, slot: Slot): void {
  if (table.size >= MANY) for (const oldest of table.keys()) if (table.delete(oldest)) break
  table.set(key, slot)
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

export function numberOf(object: object): number {
  const shadow = shadowOf(object)
  if (shadow.number === 0) shadow.number = ++numbers
  return shadow.number
}

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
