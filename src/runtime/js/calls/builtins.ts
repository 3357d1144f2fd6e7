/**
 * Node's own classes and modules, if a watch names them: replaced before the program starts, so that calls that Node makes itself are recorded from
 * the beginning. An owner that is just `*` names no class: what it matches is replaced when the program first calls it.
 */
import { builtinModules, createRequire, syncBuiltinESMExports } from 'node:module'
import { types } from 'node:util'
import { MessagePort } from 'node:worker_threads'
import { globTest } from '../../../instrument/watched.ts'
import type { Watch } from '../../../property/watch.ts'
import type { AnyFunction } from '../resources/stand-in.ts'
import { isClass } from './answers.ts'
import { intrinsics } from './intrinsics.ts'
import { CallPlaces } from './places.ts'
import { nameNumber } from './record.ts'
import { isWrapped, wrap, type Wrapping } from './wrap.ts'
import type { Watches } from './watches.ts'

/** A glob does not mean what Node keeps to itself: `_send`. */
const nameTest = ({ name }: Watch): ((key: string) => boolean) => {
  const fits = globTest([name])
  return (key) => fits(key) && (!key.startsWith('_') || name.startsWith('_'))
}

const load = createRequire(import.meta.url)

/** Which module has which classes. */
const CLASSES: Readonly<Record<string, string>> = {
  events: 'EventEmitter',
  stream: 'Stream Readable Writable Duplex Transform PassThrough',
  net: 'Socket Server',
  tls: 'TLSSocket Server',
  http: 'Server ServerResponse ClientRequest OutgoingMessage IncomingMessage Agent',
  https: 'Server Agent',
  dgram: 'Socket',
  fs: 'ReadStream WriteStream',
  child_process: 'ChildProcess',
  worker_threads: 'Worker MessagePort BroadcastChannel',
  readline: 'Interface',
}
const GLOBALS = ['AbortController', 'AbortSignal', 'EventTarget', 'WebSocket']

/** Modules that globs are tried on. Others have to be named in full. */
const WELL_KNOWN = new Set(['fs', 'fs/promises', 'timers'])

export function replaceBuiltins(watches: Watches): void {
  let count = 0
  /** Many watches have the same owner: what it names is looked for once. */
  const owners = new Map<string, Owner>()
  for (const watch of watches.list) {
    if (watch.kind !== 'call' || watch.owner === undefined || /^\*+$/.test(watch.owner)) continue
    let owner = owners.get(watch.owner)
    if (owner === undefined) owners.set(watch.owner, (owner = ownerOf(watch.owner)))
    for (const made of owner.classes) replaceMethods(made, watch)
    // A Duplex has copies of the methods of a Writable.
    if (watch.subclasses === true && owner.isWritable) replaceMethods((load('node:stream') as { Duplex: unknown }).Duplex, watch)
    count += replaceModules(owner.modules, watch, watches)
  }
  if (count > 0) syncBuiltinESMExports()
}

/** What of Node's an owner names. */
interface Owner {
  readonly classes: readonly unknown[]
  readonly isWritable: boolean
  readonly modules: readonly string[]
}

function ownerOf(owner: string): Owner {
  const isOwner = globTest([owner])
  const isGlob = owner.includes('*')
  const classes = Object.entries(CLASSES).flatMap(([module, names]) =>
    names
      .split(' ')
      .filter(isOwner)
      .map((name) => Reflect.get(load(`node:${module}`) as object, name) as unknown),
  )
  return {
    classes: [...classes, ...GLOBALS.filter(isOwner).map((name) => Reflect.get(globalThis, name) as unknown)],
    isWritable: isOwner('Writable'),
    modules: builtinModules.filter((name) => !name.startsWith('_') && isOwner(name) && (!isGlob || WELL_KNOWN.has(name))),
  }
}

function replaceModules(modules: readonly string[], watch: Watch, watches: Watches): number {
  const isName = nameTest(watch)
  let count = 0
  for (const name of modules) {
    const module = load(`node:${name}`) as object
    const targets = name === 'timers' ? [module, globalThis] : [module]
    // The loader reads the program with it.
    const mayLoad = name.startsWith('fs')
    for (const key of Object.keys(module).filter(isName)) {
      const plan = watches.methodPlan([name], key)!
      const fixed = { plan, name: nameNumber(`${name}.${key}`), places: new CallPlaces() }
      replace(targets, key, (original) => ({ original, method: key, fixed, mayLoad }))
      count++
    }
  }
  return count
}

/** Where they live: the class itself, or one it extends. */
function replaceMethods(made: unknown, watch: Watch): void {
  const isName = nameTest(watch)
  const prototype = typeof made === 'function' ? (made.prototype as object | undefined) : undefined
  if (prototype === undefined) return
  for (let at: object | null = prototype; at !== null && !intrinsics().has(at); at = Object.getPrototypeOf(at) as object | null) {
    for (const key of Object.getOwnPropertyNames(at)) {
      if (key !== 'constructor' && isName(key))
        replace([at], key, (original) => ({ original, method: key, mayLoad: at === MessagePort.prototype }))
    }
  }
}

/** The same function in several places is replaced by the same one. */
function replace(targets: readonly object[], key: string, make: (original: AnyFunction) => Wrapping): void {
  const made = new Map<unknown, AnyFunction>()
  for (const target of targets) {
    const property = Object.getOwnPropertyDescriptor(target, key)
    const original: unknown = property?.value
    if (typeof original !== 'function' || types.isProxy(original) || isWrapped(original) || isClass(original as AnyFunction)) continue
    if (property!.configurable !== true && property!.writable !== true) continue
    let wrapped = made.get(original)
    if (wrapped === undefined) made.set(original, (wrapped = wrap(make(original as AnyFunction))))
    Object.defineProperty(target, key, { ...property, value: wrapped })
  }
}
