/** The class name of a receiver, with the classes it extends. None of this runs code of the program. */
import { Duplex, Readable } from 'node:stream'
import { types } from 'node:util'
import { ownName } from '../memory/names.ts'

/** Classes written of one receiver. */
const MOST = 8

const PLAIN: readonly string[] = ['Object']
const chains = new WeakMap<object, readonly string[]>([[PLAIN, PLAIN]])

/** Proxies of Heddle's own in the place of Node's classes: they run no code of the program. */
const standIns = new WeakSet<object>()

export const noteStandIn = (made: object): unknown => standIns.add(made)

const isForeign = (made: object): boolean => types.isProxy(made) && !standIns.has(made)

/** Objects that modules of packages export: they are known by the name of the package. */
const packages = new WeakMap<object, readonly string[]>()

export function noteExports(file: string, exported: unknown): void {
  const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace('\\', '/')
  if (name === undefined || typeof exported !== 'object' || exported === null || types.isProxy(exported) || packages.has(exported)) return
  if (Object.getPrototypeOf(exported) === Object.prototype) packages.set(exported, [name, 'Object'])
}

/** What decides which class an object is of: its prototype, or itself. Not for proxies. */
export function classKey(receiver: object): object {
  if (typeof receiver === 'function' || packages.has(receiver)) return receiver
  return (Object.getPrototypeOf(receiver) as object | null) ?? PLAIN
}

/** The nearest class first. */
export function chainOf(receiver: object): readonly string[] {
  const exported = packages.get(receiver)
  if (exported !== undefined) return exported
  const key = classKey(receiver)
  let chain = chains.get(key)
  if (chain === undefined) chains.set(key, (chain = typeof receiver === 'function' ? constructors(receiver) : classes(key)))
  return chain
}

function classes(prototype: object): readonly string[] {
  const found: string[] = []
  let writes = false
  for (
    let at: object | null = prototype;
    at !== null && at !== Object.prototype && !types.isProxy(at);
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const made: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value
    if (typeof made === 'function' && !isForeign(made)) add(found, ownName(made))
    // A Duplex has the methods of a Writable, copied: no prototype says so.
    writes ||= at === Duplex.prototype
    if (writes && at === Readable.prototype) add(found, 'Writable')
  }
  return found.length === 0 ? PLAIN : found
}

/** Of a class itself, for its static methods. */
function constructors(made: object): readonly string[] {
  const found: string[] = []
  let at: object | null = made
  for (; typeof at === 'function' && at !== Function.prototype && !types.isProxy(at); at = Object.getPrototypeOf(at) as object | null) {
    add(found, ownName(at))
  }
  return found.length === 0 ? ['Function'] : found
}

function add(found: string[], name: string): void {
  if (name !== '' && name !== found.at(-1) && found.length < MOST) found.push(name)
}
