/**
 * What Heddle knows about an object: its number and its slots. It hangs on the object as a private field, put there by a constructor that
 * returns its argument: frozen objects and proxies take it, no trap runs, nobody can see it, and it goes when the object goes.
 */
import { types } from 'node:util'
import { Slot } from './slot.ts'

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

export class Shadow {
  number = 0
  /** One of the kinds above, once somebody asked. */
  kind = 0
  /** Keys and slots side by side: most objects have few, and looking through them beats a table in time and space. */
  keys: unknown[] = []
  slots: Slot[] = []
  table: Map<unknown, Slot> | undefined = undefined
  /** Elements of arrays, by index. */
  items: (Slot | undefined)[] | undefined = undefined
  /** Keys of Maps and Sets. An object that is a key is here by its shadow. */
  entries: Map<unknown, Slot> | undefined = undefined

  find(key: unknown): Slot | undefined {
    if (this.table !== undefined) return this.table.get(key)
    const at = this.keys.indexOf(key)
    return at < 0 ? undefined : this.slots[at]
  }

  add(key: unknown): Slot {
    const slot = new Slot()
    if (this.table !== undefined) remember(this.table, key, slot)
    else if (this.keys.length < FEW) {
      this.keys.push(key)
      this.slots.push(slot)
    } else {
      this.table = new Map(this.keys.map((k, i) => [k, this.slots[i]!]))
      this.table.set(key, slot)
      this.keys = []
      this.slots = []
    }
    return slot
  }

  get(key: unknown): Slot {
    return this.find(key) ?? this.add(key)
  }

  item(index: number): Slot {
    const items = (this.items ??= [])
    return (items[index] ??= new Slot())
  }

  entry(key: unknown): Slot {
    const entries = (this.entries ??= new Map())
    const by = isObject(key) ? shadowOf(key) : key
    let slot = entries.get(by)
    if (slot === undefined) remember(entries, by, (slot = new Slot()))
    return slot
  }

  /** The properties that have been touched. */
  *known(): Iterable<readonly [unknown, Slot]> {
    if (this.table !== undefined) yield* this.table
    else for (let i = 0; i < this.keys.length; i++) yield [this.keys[i], this.slots[i]!]
  }
}

function remember(table: Map<unknown, Slot>, key: unknown, slot: Slot): void {
  if (table.size >= MANY) for (const oldest of table.keys()) if (table.delete(oldest)) break
  table.set(key, slot)
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

class Identity {
  constructor(object: object) {
    return object
  }
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

function findKind(object: object): number {
  if (types.isProxy(object)) return PLAIN
  if (Array.isArray(object)) return ARRAY
  if (types.isMap(object)) return MAP
  if (types.isSet(object)) return SET
  if (types.isTypedArray(object)) return TYPED
  if (types.isWeakMap(object)) return WEAK_MAP
  return types.isWeakSet(object) ? WEAK_SET : PLAIN
}
