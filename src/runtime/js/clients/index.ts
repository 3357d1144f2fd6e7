/**
 * Clients of servers as `library/*.client` declares them. Their calls are operations of the program; what they do internally is not. Their classes
 * are found where modules of their packages export them, before the program can call them.
 */
import * as net from 'node:net'
import { types } from 'node:util'
import type { Client, Put, Task } from '../../../clients/client.ts'
import { beside, isOwn, post, runTask, type Op } from '../core.ts'
import { EXPORTS, packageOf, type Handed } from '../load/classes.ts'
import { overhear } from '../overhear.ts'
import { dress, replaceMethod, type AnyFunction } from '../resources/stand-in.ts'
import type { Session } from '../session.ts'
import { calledFrom } from '../stack.ts'
import { requestOf, startRequests } from './call.ts'
import { tellsByItself } from './events.ts'
import { holderOf as placeOf, valueAt, valueIn } from './operands.ts'

/** By package. */
const clients = new Map<string, Client[]>()
const done = new WeakSet<object>()

export function startClients(session: Session): void {
  const declared = session.config.clients ?? []
  if (declared.length === 0) return
  for (const client of declared)
    for (const name of client.packages) {
      const list = clients.get(name)
      if (list === undefined) clients.set(name, [client])
      else list.push(client)
    }
  startRequests(session)
  ownConnections()
}

/** Is it a module of a client? What it does with its own memory is not the program's. */
export const isOfClient = (file: string): boolean =>
  clients.size > 0 && clients.get(packageOf(file))?.some(({ calls }) => calls.length > 0) === true

/** A module has been loaded: the classes among what it exports, and functions that are declared. */
export function noteClasses(file: string, exported: unknown): void {
  if (clients.size === 0) return
  if (!clients.has(packageOf(file))) return
  const found = [exported]
  if (typeof exported === 'object' && exported !== null) {
    for (const property of Object.values(Object.getOwnPropertyDescriptors(exported))) found.push(property.value)
    if (!types.isModuleNamespaceObject(exported))
      for (const client of clients.get(packageOf(file))!) if (hasFunctions(client)) replaceNamed(exported, EXPORTS, client)
  }
  note(file, found)
}

/** A module of Node's own is about to be loaded. */
export function noteBuiltin(name: string): void {
  const declared = clients.get(name)
  if (declared === undefined) return
  const { getBuiltinModule } = process as unknown as { getBuiltinModule(name: string): object | undefined }
  for (const one of Object.values(getBuiltinModule(name) ?? {}))
    if (typeof one === 'function' && !done.has(one)) replaceCalls(one as AnyFunction, declared)
}

/** Classes and functions that a module hands over at its end (`load/classes.ts`), as functions, for they may not be there after all. */
export function takeClasses(file: string, handed: readonly Handed[]): void {
  const found: unknown[] = []
  for (const { get, set } of handed)
    try {
      const one = get()
      if (typeof one === 'function' && set !== undefined) replaceFunction(file, one as AnyFunction, set)
      else found.push(one)
    } catch {
      // A name inside of a function, or in a text.
    }
  note(file, found)
}

/** A function of an ES module: those who import it get what the module has by that name. */
function replaceFunction(file: string, made: AnyFunction, set: (other: unknown) => void): void {
  const holder = { [made.name]: made }
  for (const client of clients.get(packageOf(file)) ?? []) replaceNamed(holder, EXPORTS, client)
  if (holder[made.name] !== made) set(holder[made.name])
}

function note(file: string, found: readonly unknown[]): void {
  const declared = clients.get(packageOf(file))
  if (declared === undefined) return
  for (const one of found) if (typeof one === 'function' && !done.has(one)) replaceCalls(one as AnyFunction, declared)
}

const hasFunctions = ({ tasks = [], puts = [] }: Client): boolean => [...tasks, ...puts].some((one) => one.class === EXPORTS)

/** Tasks and puts of this class, in what has its methods. */
function replaceNamed(holder: object, name: string, { tasks = [], puts = [] }: Client): void {
  for (const task of tasks) if (task.class === name) replaceTask(holder, task)
  for (const put of puts) if (put.class === name) replacePut(holder, put)
}

function replaceCalls(made: AnyFunction, declared: readonly Client[]): void {
  const prototype: unknown = made.prototype
  if (typeof prototype !== 'object' || prototype === null) return
  let wanted = false
  for (const client of declared) {
    replaceNamed(prototype, made.name, client)
    for (const call of client.calls) {
      if (call.class !== made.name) continue
      wanted = true
      const holder = holderOf(prototype, call.method)
      if (holder === undefined || done.has(Reflect.get(holder, call.method) as object)) continue
      replaceMethod(holder, call.method, (original) => {
        const ours = dress(requestOf({ client: client.name, isText: client.reader.kind === 'sql', call }, original), original)
        done.add(ours)
        return ours
      })
    }
  }
  if (!wanted) return
  done.add(made)
  tellsByItself(made.name, prototype)
}

/** A method, once. */
function replaceOnce(holder: object, method: string, make: (original: AnyFunction) => AnyFunction): void {
  const there: unknown = Reflect.get(holder, method)
  if (typeof there !== 'function' || done.has(there)) return
  replaceMethod(holder, method, (original) => {
    const ours = dress(make(original), original)
    done.add(ours)
    return ours
  })
}

/** What one such call does is a task of its own. */
function replaceTask(holder: object, { method, name, of }: Task): void {
  const named = (original: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      if (isOwn()) return Reflect.apply(original, this, args) as unknown
      const key = titleOf(name, (path) => valueAt(path, this, args))
      const op = put.get(key)
      put.delete(key)
      return runTask(key.replaceAll(MADE_UP, '').slice(0, LONGEST_NAME), op, () => Reflect.apply(original, this, args) as unknown)
    }
  if (of === undefined) return replaceOnce(holder, method, named)
  replaceOnce(
    holder,
    method,
    (original) =>
      function (this: unknown, ...args) {
        const place = isOwn() ? undefined : placeOf(of, this, args)
        const given: unknown = place && Reflect.get(place.owner, place.step)
        if (typeof given === 'function') replaceOnce(place!.owner, String(place!.step), named)
        else if (typeof given === 'object' && given !== null && !types.isProxy(given))
          for (const key of Object.keys(given)) replaceOnce(given, key, named)
        return Reflect.apply(original, this, args) as unknown
      },
  )
}

/** What is in a queue, by the name of its task, from the answer to who put it there on until somebody takes it. Others may take it: beyond these the oldest are forgotten. */
const put = new Map<string, Op>()
const MOST_PUT = 1000

/** A task comes after who put it into its queue, whichever worker takes it in whichever round of its loop. */
function replacePut(holder: object, { method, name, of }: Put): void {
  const noted = (original: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      if (isOwn()) return Reflect.apply(original, this, args) as unknown
      const op = post('job', 'job', {})
      const result = Reflect.apply(original, this, args) as unknown
      if (result instanceof Promise)
        overhear(result, (answer: unknown) => {
          if (put.size >= MOST_PUT) for (const oldest of put.keys()) if (put.delete(oldest)) break
          put.set(
            titleOf(name, (part) => (part.from === 'answer' ? valueIn(part.steps, answer) : valueAt(part, this, args))),
            op,
          )
        })
      return result
    }
  if (of === undefined) return replaceOnce(holder, method, noted)
  replaceOnce(
    holder,
    method,
    (original) =>
      function (this: unknown, ...args) {
        const made: unknown = Reflect.apply(original, this, args)
        return typeof made === 'function' && !isOwn() ? dress(noted(made as AnyFunction), made as AnyFunction) : made
      },
  )
}

const titleOf = <T>(name: readonly (string | T)[], valueOf: (part: T) => unknown): string =>
  name.map((part) => (typeof part === 'string' ? part : wordOf(valueOf(part)))).join('')
const LONGEST_NAME = 80
/** An id that is another one in every run says nothing to people. */
const MADE_UP = /[#:]?[0-9a-f-]{16,}/gi
const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Where the method lives: the class, or one that it extends. */
function holderOf(prototype: object, method: string): object | undefined {
  for (let at: object | null = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, method)) return at
  return undefined
}

/** What a client does with its connection, also in a call that nobody has declared: `disconnect` of ioredis, say. */
const OF_CONNECTION = ['write', 'end', 'destroy', 'destroySoon', 'resetAndDestroy', 'setTimeout']

/** Connections that a client opens are its own business, from begin to end: what comes in on them is heard of as answers of requests, or as events of the client. */
function ownConnections(): void {
  replaceMethod(
    net.Socket.prototype,
    'connect',
    (original) =>
      function (this: net.Socket, ...args) {
        if (!calledFrom(isOfClient)) return original.apply(this, args) as unknown
        for (const name of OF_CONNECTION) ownMethod(this, name)
        return isOwn() ? (original.apply(this, args) as unknown) : beside(() => original.apply(this, args) as unknown)
      },
  )
}

function ownMethod(socket: net.Socket, name: string): void {
  const original: unknown = Reflect.get(socket, name)
  if (typeof original !== 'function' || done.has(original)) return
  const ours = dress(function (this: unknown, ...args) {
    return isOwn() ? (Reflect.apply(original, this, args) as unknown) : beside(() => Reflect.apply(original, this, args) as unknown)
  }, original as AnyFunction)
  done.add(ours)
  Object.defineProperty(socket, name, { value: ours, writable: true, configurable: true, enumerable: false })
}
