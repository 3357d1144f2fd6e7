/**
 * What is known of an object while branches are recorded: its label, which is the same in every run in which its chain has done the same so far, and
 * its locations with their last values in the running turn.
 */
import { types } from 'node:util'
import { labelOf, type Context } from '../core.ts'
import { Identity } from '../identity.ts'
import { objectName, ownName } from '../memory/names.ts'
import { here, nextSeen, turn } from './here.ts'

/** One place: which turn read or wrote it last, and the tag of what it held then. */
export class TaggedPlace {
  turn = -1
  tag = 0
  /** The turn that wrote it last. */
  wrote = -1
  /** Its number as a location, once a row speaks of it. */
  location = -1
  next: TaggedPlace | undefined = undefined
  constructor(readonly key: unknown) {}
}

/** The contents of an array, or the keys of a collection, as a whole. */
export class Whole extends TaggedPlace {
  /** How often it has changed. */
  version = 0
}

const FEW = 8

export class Known {
  kind = 0
  /** The turn in which it was first seen: if it was made there, nobody else can have seen it before the end of the turn. */
  born = -1
  /** Arrays: how often elements have got other places. Places of elements are those since the last time. */
  epoch = 0
  /** What native code made it from, in the turn it was born in. */
  origin = 0
  private chain: Context | undefined = undefined
  private nth = 0
  private label_: string | undefined = undefined
  private first: TaggedPlace | undefined = undefined
  private count = 0
  private items: Map<number, TaggedPlace> | undefined = undefined
  private table: Map<unknown, TaggedPlace> | undefined = undefined
  private entries: Map<unknown, TaggedPlace> | undefined = undefined

  constructor(public made: boolean) {
    here()
    this.born = turn
  }

  /** Recorded runs and replays see objects at the same moments: so the label is the same in both. */
  see(): void {
    if (this.chain !== undefined) return
    here()
    const { chain, nth } = nextSeen()
    this.chain = chain
    this.nth = nth
  }

  labelOf(object: object): string {
    this.see()
    return (this.label_ ??= `${classOf(object)}@${labelOf(this.chain!)}:${this.nth}`)
  }

  find(key: unknown): TaggedPlace | undefined {
    for (let place = this.first; place !== undefined; place = place.next) if (place.key === key) return place
    return this.table?.get(key)
  }

  place(key: unknown): TaggedPlace {
    return this.find(key) ?? this.add(new TaggedPlace(key))
  }

  whole(key: symbol): Whole {
    return (this.find(key) as Whole | undefined) ?? (this.add(new Whole(key)) as Whole)
  }

  private add(place: TaggedPlace): TaggedPlace {
    if (this.count++ < FEW) {
      place.next = this.first
      this.first = place
    } else (this.table ??= new Map()).set(place.key, place)
    return place
  }

  /** Of an element of an array. */
  item(index: number): TaggedPlace {
    const items = (this.items ??= new Map())
    let place = items.get(index)
    if (place === undefined) items.set(index, (place = new TaggedPlace(index)))
    return place
  }

  shuffle(): void {
    this.epoch++
    this.items = undefined
  }

  /** Of a key of a Map or Set; `make` gives what names it. */
  entry(key: unknown, make: (key: unknown) => unknown): TaggedPlace {
    const entries = (this.entries ??= new Map())
    let place = entries.get(key)
    if (place === undefined) entries.set(key, (place = new TaggedPlace(make(key))))
    return place
  }

  /** Entries that rows may speak of. */
  get knownEntries(): ReadonlyMap<unknown, TaggedPlace> | undefined {
    return this.entries
  }
}

function classOf(object: object): string {
  const name = objectName(object)
  return name.slice(0, name.lastIndexOf('#'))
}

class Stamp extends Identity {
  #known: Known
  constructor(object: object, known: Known) {
    super(object)
    this.#known = known
  }
  static of(object: object): Known | undefined {
    return #known in object ? (object as Stamp).#known : undefined
  }
}

/** For engines that refuse new private fields on objects that are not extensible. */
const refused = new WeakMap<object, Known>()

/** The object that was asked for last: one operation asks several times. */
let last: object | undefined
let lastKnown: Known

/** What is known of it. */
export function knownOf(object: object): Known {
  if (object === last) return lastKnown
  lastKnown = Stamp.of(object) ?? refused.get(object) ?? stamp(object, false)
  last = object
  return lastKnown
}

/** An object that was made just now. */
export function made(object: object): Known {
  return Stamp.of(object) ?? stamp(object, true)
}

/** Does anybody know of it? */
export const isSeen = (object: object): boolean => Stamp.of(object) !== undefined || refused.has(object)

function stamp(object: object, made: boolean): Known {
  const known = new Known(made)
  try {
    new Stamp(object, known)
  } catch {
    refused.set(object, known)
  }
  return known
}

/** Instrumented code works on it, or stores it. Functions have no label but their name. */
export function see(value: unknown): void {
  if (typeof value === 'object' && value !== null) knownOf(value).see()
}

/** The same for arguments. */
export function seeAll(values: readonly unknown[]): void {
  for (const value of values) see(value)
}

/** An object as an outcome: by its label; a function by its name. */
export function outcomeOf(object: object): string {
  if (typeof object === 'function') return `function ${types.isProxy(object) ? 'Proxy' : ownName(object) || '(anonymous)'}`
  return knownOf(object).labelOf(object)
}
