/**
 * Which ports belong to the program: those of channels it makes, its parentPort, those of its workers and broadcast channels, and those that arrive
 * on them. Node and Heddle have ports of the same class, for the output of workers and for loaders. They are left alone.
 */
import { EventEmitter, getEventListeners } from 'node:events'
import * as nodeModule from 'node:module'
import { MessagePort, type BroadcastChannel, type Worker } from 'node:worker_threads'
import { noteStandIn } from '../calls/classes.ts'
import { replaceMethod } from '../resources/stand-in.ts'
import { Identity } from '../identity.ts'

/** What passes messages on to the program, where that is not the port itself. */
type Owner = Worker | BroadcastChannel

export interface Mark {
  /** Many may receive what is sent here. */
  readonly broadcast: boolean
  readonly owner: Owner | undefined
  /** The other end has gone where no recorder is: what is sent goes as it is. */
  plain: boolean
}

class Marked extends Identity {
  #mark: Mark
  constructor(port: object, mark: Mark) {
    super(port)
    this.#mark = mark
  }
  static of(port: object): Mark | undefined {
    return #mark in port ? (port as Marked).#mark : undefined
  }
}

/** Also of what is no port: the program may call methods on anything. */
export const markOf = (port: unknown): Mark | undefined => (typeof port === 'object' && port !== null ? Marked.of(port) : undefined)

export function markPort(port: object | null | undefined, mark: Mark = { broadcast: false, owner: undefined, plain: false }): void {
  if (port != null && Marked.of(port) === undefined) new Marked(port, mark)
}

/** A port that Node keeps under a symbol of this name. */
export function hiddenPort(object: object, name: string): object | undefined {
  const symbol = Object.getOwnPropertySymbols(object).find((own) => own.description === name)
  const port: unknown = symbol && Reflect.get(object, symbol)
  return port instanceof MessagePort ? port : undefined
}

const listenerCount = MessagePort.prototype.listenerCount as unknown as (this: object, type: string) => number
const emits = new Set<unknown>([EventEmitter.prototype.emit])

/** A method emit of ours calls nobody by itself. */
export const notListening = (emit: unknown): unknown => emits.add(emit)

/** Does anybody hear a message that arrives on this port? */
export function isHeard(port: object): boolean {
  const owner = Marked.of(port)?.owner
  if (owner === undefined) return listenerCount.call(port, 'message') > 0
  // A subclass may have a method emit that does more than to call listeners.
  if (owner instanceof EventEmitter) return owner.listenerCount('message') > 0 || !emits.has(owner.emit)
  return getEventListeners(owner as unknown as EventTarget, 'message').length > 0
}

/** Puts a class that marks what it makes in the place of one of worker_threads, of the global object, or both. */
export function replaceClass(
  owners: readonly object[],
  name: string,
  construct: (target: new (...args: never[]) => object, args: unknown[], newTarget: NewableFunction) => object,
): void {
  const original = Reflect.get(owners[0]!, name) as (new (...args: never[]) => object) | undefined
  if (original === undefined) return
  const watched = new Proxy(original, { construct })
  noteStandIn(watched)
  for (const owner of owners) {
    if (Reflect.get(owner, name) !== original) continue
    const enumerable = Object.prototype.propertyIsEnumerable.call(owner, name)
    Object.defineProperty(owner, name, { value: watched, writable: true, configurable: true, enumerable })
  }
  const property = Object.getOwnPropertyDescriptor(original.prototype, 'constructor')
  if (property?.configurable) Object.defineProperty(original.prototype, 'constructor', { ...property, value: watched })
}

/** Marks the ports of channels that are made from now on, unless Heddle makes them. `threads` is what require('worker_threads') gives. */
export function watchChannels(threads: object, isOwn: () => boolean): void {
  replaceClass([threads, globalThis], 'MessageChannel', (target, args, newTarget) => {
    const channel = Reflect.construct(target, args, newTarget) as { port1: object; port2: object }
    if (isOwn()) return channel
    const mark = { broadcast: false, owner: undefined, plain: false }
    markPort(channel.port1, mark)
    markPort(channel.port2, mark)
    return channel
  })
  replaceClass([threads, globalThis], 'BroadcastChannel', (target, args, newTarget) => {
    const channel = Reflect.construct(target, args, newTarget) as BroadcastChannel
    if (!isOwn()) markPort(hiddenPort(channel, 'kHandle'), { broadcast: true, owner: channel, plain: false })
    return channel
  })
  // The loader's thread has no recorder: who sends a port there talks to it in plain messages.
  replaceMethod(
    nodeModule.Module,
    'register',
    (register) =>
      function (this: unknown, ...args: unknown[]): unknown {
        for (const options of args.slice(1)) {
          for (const item of listed(options, 'transferList') ?? []) {
            const mark = markOf(item)
            if (mark !== undefined) mark.plain = true
          }
        }
        return register.apply(this, args)
      },
  )
}

/** A list of what to transfer, given as itself or as an option. Undefined when it takes code of the program to find out. */
export function listed(transfer: unknown, option: string): readonly unknown[] | undefined {
  if (Array.isArray(transfer)) return transfer
  if (typeof transfer !== 'object' || transfer === null) return []
  const property = Object.getOwnPropertyDescriptor(transfer, option)
  if (property === undefined) return Symbol.iterator in transfer || option in transfer ? undefined : []
  return property.value === undefined && 'value' in property ? [] : Array.isArray(property.value) ? property.value : undefined
}

/** How many ports are in such a list; -1 when that is not known. */
export function portsListed(transfer: unknown, option: string): number {
  const items = listed(transfer, option)
  if (items === undefined) return -1
  let ports = 0
  for (const item of items) if (item instanceof MessagePort) ports++
  return ports
}
