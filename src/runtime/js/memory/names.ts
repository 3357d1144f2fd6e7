/** Names of locations and sites, made when a location is first written to the trace. None of this runs code of the program. */
import { types } from 'node:util'
import type { Session } from '../session.ts'
import { nameOf, original, siteName } from '../stack.ts'
import { hasElements, numberOf, type Entry } from './shadow.ts'
import type { Slot } from './slot.ts'

/** Keys that are not the program's: what an array or a collection is as a whole. */
export const ORDER = Symbol('[]')
export const ELEMENTS = Symbol('[*]')
export const KEYS = Symbol('<>')

export interface ModulePlace {
  readonly line: number
  readonly column: number
  readonly name: string
}

/** A module's sites have numbers of their own; over the whole program they start at `first`. */
interface ModuleSites {
  readonly file: string
  readonly first: number
  readonly decode: () => readonly ModulePlace[]
  places: readonly ModulePlace[] | undefined
}

const modules: ModuleSites[] = []
let sitesSoFar = 0
/** The session's number of each site, once it has one. */
const numbered: number[] = []
let session: Pick<Session, 'sites' | 'config'>

export function startNames(in_: Pick<Session, 'sites' | 'config'>): void {
  session = in_
}

/** Adds the sites of a module. Returns the number of its first one. */
export function addSites(file: string, count: number, decode: () => readonly ModulePlace[]): number {
  const first = sitesSoFar
  sitesSoFar += count
  modules.push({ file, first, decode, places: undefined })
  return first
}

function placeOf(site: number): { file: string; place: ModulePlace } {
  let lo = 0
  let hi = modules.length
  while (hi - lo > 1) {
    const mid = (lo + hi) >>> 1
    if (modules[mid]!.first <= site) lo = mid
    else hi = mid
  }
  const module = modules[lo]!
  module.places ??= module.decode()
  return { file: module.file, place: module.places[site - module.first] ?? { line: 1, column: 1, name: '' } }
}

export function siteNumber(site: number): number {
  return (numbered[site] ??= session.sites.fresh(() => siteText(site)))
}

export function siteText(site: number): string {
  const { file, place } = placeOf(site)
  const at = original(file, place.line, place.column)
  return siteName(nameOf(at.file, session.config.root), at.line, at.column, place.name)
}

/** The function a site is in. */
export const functionAt = (site: number): string => placeOf(site).place.name

/** Variables of one activation of a function or block. */
export class Scope {
  #number = 0
  static isOne(object: object): object is Scope {
    return #number in object
  }
  readonly slots: (Slot | undefined)[] = []
  constructor(
    readonly first: number,
    readonly count: number,
  ) {}
  variableName(index: number): string {
    if (this.#number === 0) {
      this.#number = (activations.get(this.first) ?? 0) + 1
      activations.set(this.first, this.#number)
    }
    const { file, place } = placeOf(this.first + index)
    const at = original(file, place.line, place.column)
    const again = this.#number === 1 ? '' : ` #${this.#number}`
    return `variable ${place.name} of ${nameOf(at.file, session.config.root)}:${at.line}${again}`
  }
}

/** How many activations of each scope have a name. */
const activations = new Map<number, number>()

export function locationName(owner: object, key: unknown): string {
  if (Scope.isOne(owner)) return owner.variableName(key as number)
  const object = objectName(owner)
  if (key === ORDER) return `${object}[]`
  if (key === ELEMENTS) return `${object}[*]`
  if (key === KEYS) return `${object}<>`
  // Slots have no other objects for keys.
  if (typeof key === 'object') return `${object}<${keyText(key as Entry)}>`
  if (typeof key === 'number' && hasElements(owner)) return `${object}[${key}]`
  const text = typeof key === 'symbol' ? `[${key.description ?? ''}]` : String(key)
  return `${object}.${text.slice(0, 200)}`
}

function keyText({ key, isObject }: Entry): string {
  if (isObject) return `#${String(key)}`
  if (typeof key === 'string') return JSON.stringify(key.slice(0, 200))
  return typeof key === 'symbol' ? `[${key.description ?? ''}]` : String(key)
}

/** `Pool#3`: in locations, and as a value. */
export const objectName = (object: object): string => `${className(object)}#${numberOf(object)}`

function className(object: object): string {
  if (types.isProxy(object)) return 'Proxy'
  if (typeof object === 'function') return `function ${ownName(object) || '(anonymous)'}`
  let prototype: object | null = Object.getPrototypeOf(object) as object | null
  while (prototype !== null && !types.isProxy(prototype)) {
    const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value as unknown
    if (typeof made === 'function' && !types.isProxy(made)) return ownName(made) || 'Object'
    prototype = Object.getPrototypeOf(prototype) as object | null
  }
  return 'Object'
}

/** The name a function has, if it is a plain property of it. */
export function ownName(made: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(made, 'name')?.value
  return typeof name === 'string' ? name : ''
}
