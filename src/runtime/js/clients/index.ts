/**
 * Clients of servers as `library/*.client` declares them. Their calls are operations of the program; what they do internally is not. Their classes
 * are found where modules of their packages export them, before the program can call them.
 */
import * as net from 'node:net'
import type { Client, Put, Task } from '../../../clients/client.ts'
import { beside, isOwn, post, runTask, type Op } from '../core.ts'
import { packageOf } from '../load/classes.ts'
import { overhear } from '../overhear.ts'
import { dress, replaceMethod, type AnyFunction } from '../resources/stand-in.ts'
import type { Session } from '../session.ts'
import { calledFrom } from '../stack.ts'
import { requestOf, startRequests } from './call.ts'
import { tellsByItself } from './events.ts'
import { valueAt } from './operands.ts'

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

/** A module has been loaded: the classes among what it exports. */
export function noteClasses(file: string, exported: unknown): void {
  if (clients.size === 0) return
  if (!clients.has(packageOf(file))) return
  const found = [exported]
  if (typeof exported === 'object' && exported !== null)
    for (const property of Object.values(Object.getOwnPropertyDescriptors(exported))) found.push(property.value)
  note(file, found)
}

/** Classes that a module hands over at its end (`load/classes.ts`): each by a function, for it may not be there after all. */
export function takeClasses(file: string, classes: readonly (() => unknown)[]): void {
  const found: unknown[] = []
  for (const one of classes)
    try {
      found.push(one())
    } catch {
      // A name inside of a function, or in a text.
    }
  note(file, found)
}

function note(file: string, found: readonly unknown[]): void {
  const declared = clients.get(packageOf(file))
  if (declared === undefined) return
  for (const one of found) if (typeof one === 'function' && !done.has(one)) replaceCalls(one as AnyFunction, declared)
}

function replaceCalls(made: AnyFunction, declared: readonly Client[]): void {
  const prototype: unknown = made.prototype
  if (typeof prototype !== 'object' || prototype === null) return
  let wanted = false
  for (const client of declared) {
    for (const task of client.tasks ?? []) if (task.class === made.name) replaceTask(prototype, task)
    for (const put of client.puts ?? []) if (put.class === made.name) replacePut(prototype, put)
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

/** What one such call does is a task of its own. */
function replaceTask(prototype: object, { method, name }: Task): void {
  if (done.has(Reflect.get(prototype, method) as object)) return
  replaceMethod(prototype, method, (original) => {
    const ours: AnyFunction = function (this: unknown, ...args) {
      if (isOwn()) return Reflect.apply(original, this, args) as unknown
      const title = titleOf(name, (path) => valueAt(path, this, args))
      const op = put.get(title)
      put.delete(title)
      return runTask(title, op, () => Reflect.apply(original, this, args) as unknown)
    }
    done.add(ours)
    return ours
  })
}

/** What is in a queue, by the name of its task, from the answer to who put it there on until somebody takes it. Others may take it: beyond these the oldest are forgotten. */
const put = new Map<string, Op>()
const MOST_PUT = 1000

/** A task comes after who put it into its queue, whichever worker takes it in whichever round of its loop. */
function replacePut(prototype: object, { method, name }: Put): void {
  if (done.has(Reflect.get(prototype, method) as object)) return
  replaceMethod(prototype, method, (original) => {
    const ours: AnyFunction = function (this: unknown, ...args) {
      if (isOwn()) return Reflect.apply(original, this, args) as unknown
      const op = post('job', 'job', {})
      const result = Reflect.apply(original, this, args) as unknown
      if (result instanceof Promise)
        overhear(result, (answer: unknown) => {
          if (put.size >= MOST_PUT) for (const oldest of put.keys()) if (put.delete(oldest)) break
          put.set(
            titleOf(name, (part) => ('steps' in part ? valueAt(part, this, args) : answer)),
            op,
          )
        })
      return result
    }
    done.add(ours)
    return ours
  })
}

const titleOf = <T>(name: readonly (string | T)[], valueOf: (part: T) => unknown): string =>
  name
    .map((part) => (typeof part === 'string' ? part : wordOf(valueOf(part))))
    .join('')
    .slice(0, LONGEST_NAME)
const LONGEST_NAME = 80
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
