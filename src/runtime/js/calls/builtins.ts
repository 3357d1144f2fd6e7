/**
 * Node's own classes and modules, if a watch names them: replaced before the program starts, so that calls Node makes itself are recorded from
 * the begin. An owner that is just `*` names nothing: what it fits is replaced when the program first calls it.
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
  let modules = 0
  for (const watch of watches.list) {
    if (watch.kind !== 'call' || watch.owner === undefined || /^\*+$/.test(watch.owner)) continue
    replaceClasses(watch)
    modules += replaceModules(watch, watches)
  }
  if (modules > 0) syncBuiltinESMExports()
}

function replaceModules(watch: Watch, watches: Watches): number {
  const isOwner = globTest([watch.owner!])
  const isGlob = watch.owner!.includes('*')
  const isName = nameTest(watch)
  let count = 0
  for (const name of builtinModules) {
    if (name.startsWith('_') || !isOwner(name) || (isGlob && !WELL_KNOWN.has(name))) continue
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

function replaceClasses(watch: Watch): void {
  const isOwner = globTest([watch.owner!])
  for (const [module, names] of Object.entries(CLASSES)) {
    for (const name of names.split(' ')) if (isOwner(name)) replaceMethods(Reflect.get(load(`node:${module}`) as object, name), watch)
  }
  for (const name of GLOBALS) if (isOwner(name)) replaceMethods(Reflect.get(globalThis, name), watch)
  // A Duplex has copies of the methods of a Writable.
  if (watch.subclasses === true && isOwner('Writable')) replaceMethods((load('node:stream') as { Duplex: unknown }).Duplex, watch)
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
