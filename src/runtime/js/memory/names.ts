/** Names of locations and sites, made when a location is first written to the trace. None of this runs code of the program. */
import { types } from 'node:util'
import type { Session } from '../session.ts'
import { nameOf, original, siteName } from '../stack.ts'
import { isObject, numberOf } from './shadow.ts'
import type { Slot } from './slot.ts'

/** Keys that are not the program's: what an array or a collection is as a whole. */
export const ORDER = Symbol('[]')
export const ELEMENTS = Symbol('[*]')
export const KEYS = Symbol('<>')

/** An element of an array, as opposed to a property with a number for a name. */
export class Index {
  constructor(readonly index: number) {}
}
/** A key of a Map or Set, as opposed to a property of the object. */
export class Entry {
  constructor(readonly key: unknown) {}
}

export interface SitePlace {
  readonly line: number
  readonly column: number
  readonly name: string
}

/** A module's sites have numbers of their own; over the whole program they start at `first`. */
interface ModuleSites {
  readonly file: string
  readonly first: number
  readonly decode: () => readonly SitePlace[]
  places: readonly SitePlace[] | undefined
}

const modules: ModuleSites[] = []
let sitesSoFar = 0
/** The trace's number of each site, once it has one. */
const numbered: number[] = []
let session: Session

export function startNames(in_: Session): void {
  session = in_
}

/** Adds the sites of a module. Returns the number of its first one. */
export function addSites(file: string, count: number, decode: () => readonly SitePlace[]): number {
  const first = sitesSoFar
  sitesSoFar += count
  modules.push({ file, first, decode, places: undefined })
  return first
}

function placeOf(site: number): { file: string; place: SitePlace } {
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
  return (numbered[site] ??= session.sites.intern(siteText(site)))
}

function siteText(site: number): string {
  const { file, place } = placeOf(site)
  const at = original(file, place.line, place.column)
  return siteName(nameOf(at.file, session.config.root), at.line, at.column, place.name)
}

/** Variables of one activation of a function or block. */
export class Scope {
  number = 0
  readonly slots: (Slot | undefined)[] = []
  constructor(
    readonly first: number,
    readonly count: number,
  ) {}
}

const activations = new Map<number, number>()

function variableName(scope: Scope, index: number): string {
  if (scope.number === 0) {
    scope.number = (activations.get(scope.first) ?? 0) + 1
    activations.set(scope.first, scope.number)
  }
  const { file, place } = placeOf(scope.first + index)
  const at = original(file, place.line, place.column)
  const again = scope.number === 1 ? '' : ` #${scope.number}`
  return `variable ${place.name} of ${nameOf(at.file, session.config.root)}:${at.line}${again}`
}

export function locationName(owner: object, key: unknown): string {
  if (owner instanceof Scope) return variableName(owner, key as number)
  const object = `${className(owner)}#${numberOf(owner)}`
  if (key === ORDER) return `${object}[]`
  if (key === ELEMENTS) return `${object}[*]`
  if (key === KEYS) return `${object}<>`
  if (key instanceof Index) return `${object}[${key.index}]`
  if (key instanceof Entry) return `${object}<${keyText(key.key)}>`
  const text = typeof key === 'symbol' ? `[${key.description ?? ''}]` : String(key)
  return `${object}.${text.slice(0, 200)}`
}

function keyText(key: unknown): string {
  if (isObject(key)) return `#${numberOf(key)}`
  if (typeof key === 'string') return JSON.stringify(key.slice(0, 200))
  return typeof key === 'symbol' ? `[${key.description ?? ''}]` : String(key)
}

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

function ownName(made: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(made, 'name')?.value
  return typeof name === 'string' ? name : ''
}
