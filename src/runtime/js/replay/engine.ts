/**
 * Delays callbacks that the engine itself makes: requests (connect, write, dns, crypto) and handles (sockets, servers, child processes, zlib
 * streams). The property that has the callback is replaced on the objects that an instruction or the guide names, and nowhere else. Such an operation
 * can only be delayed at its finish: when the hook reports it, it has already started.
 */
import * as core from '../core.ts'
import { engine } from '../engine.ts'
import { deliveriesOf, type Callback, type Deliveries } from './deliveries.ts'
import { isExpected } from './guide.ts'
import { FRAMED } from '../kinds.ts'
import { comingOn } from '../resources/exchanges.ts'
import type { Connection } from '../resources/wires.ts'
import { isAnyPlanned, isPlanned } from './holds.ts'

const CALLBACKS: Partial<Record<core.Kind, readonly string[]>> = {
  fs: ['oncomplete'],
  dns: ['oncomplete'],
  crypto: ['ondone'],
  connect: ['oncomplete'],
  write: ['oncomplete'],
  socket: ['onread', 'onmessage'],
  server: ['onconnection'],
  child: ['onexit'],
  signal: ['onsignal'],
  watch: ['onchange'],
}

/** What a TLS connection calls back besides, most of it while it is being made. */
const OF_TLS = ['onhandshakestart', 'onhandshakedone', 'onclienthello', 'oncertcb', 'onnewsession', 'onocspresponse', 'onkeylog', 'onerror']

export function enginePosted(op: core.Op, resource: object): void {
  const mayBring = op.kind === 'socket' && isAnyPlanned()
  if (!(isPlanned(op) || isExpected(op) || mayBring) || op.type.includes('.') || FRAMED.has(op.type)) return
  const deliveries = deliveriesOf(op, op.kind === 'socket' ? () => comingOn(portsOf(calledBack(op, resource))) : undefined)
  if (op.kind === 'zlib') {
    op.wrapped = true
    zlib.set(resource, (callback) => deliveries.through(() => callback, false))
    return intercept(op, resource, 'onerror', deliveries)
  }
  const names = [...(CALLBACKS[op.kind] ?? []), ...(op.type === 'TLSWRAP' ? OF_TLS : [])]
  for (const name of names) intercept(op, resource, name, deliveries)
  if (names.length > 0) watchClose(calledBack(op, resource), deliveries)
}

/** When an agent uses a socket again, the operation is new and the handle is not. (Requests have a handle, too, and are called back themselves.) */
const calledBack = ({ kind }: core.Op, resource: object): object =>
  kind === 'socket' ? ((resource as { handle?: object }).handle ?? resource) : resource

interface Named {
  getsockname?(out: { port?: number }): number
  getpeername?(out: { port?: number }): number
}

function portsOf(handle: Named): Connection {
  const own: { port?: number } = {}
  const peer: { port?: number } = {}
  handle.getsockname?.(own)
  handle.getpeername?.(peer)
  return { localPort: own.port, remotePort: peer.port, _handle: handle }
}

/** What the program set, by what the engine calls instead. */
const instead = new WeakMap<Callback, () => Callback | undefined>()

function intercept(op: core.Op, posted: object, name: string, deliveries: Deliveries): void {
  const resource = calledBack(op, posted)
  let callback: Callback | undefined
  const native = name in (Object.getPrototypeOf(resource) as object)
  const called = deliveries.through(() => callback, name === 'onread')
  instead.set(called, () => callback)

  const before = Reflect.get(resource, name) as Callback | undefined
  const define = (): void => {
    Object.defineProperty(resource, name, {
      configurable: true,
      enumerable: true,
      get: () => (native ? callback : callback && called),
      set(value: Callback | undefined) {
        callback = value
        // Its turns are begun here from now on: a delivery that is held is none.
        core.belongsToHeddle(posted)
        op.wrapped = true
        if (!native) return
        // Streams keep `onread` in the engine, which calls what it was given and not the property.
        delete (resource as Record<string, unknown>)[name]
        Reflect.set(resource, name, typeof value === 'function' ? called : value)
        define()
      },
    })
  }
  define()
  if (typeof before === 'function') Reflect.set(resource, name, instead.has(before) ? instead.get(before)!() : before)
}

function watchClose(resource: object, deliveries: Deliveries): void {
  for (const name of ['close', 'reset']) {
    const close = Reflect.get(resource, name) as Callback | undefined
    if (typeof close !== 'function') continue
    Object.defineProperty(resource, name, {
      configurable: true,
      writable: true,
      enumerable: false,
      value(this: unknown, ...args: unknown[]) {
        deliveries.close()
        return close.apply(this, args)
      },
    })
  }
}

const zlib = new WeakMap<object, (callback: Callback) => Callback>()

/** The engine is given the callback of a zlib stream when it is set up, and keeps it where nobody sees it. */
export function watchZlib(): void {
  const classes = Object.values((engine('zlib') ?? {}) as Record<string, { prototype?: { init?: Callback } }>)
  for (const owner of new Set(classes.map((one) => ownerOfInit(one?.prototype)))) {
    if (owner === undefined) continue
    const { init } = owner
    owner.init = function (this: unknown, ...args) {
      const at = args.findIndex((argument) => typeof argument === 'function')
      const watch = zlib.get(this as object)
      if (watch !== undefined && at >= 0) args[at] = watch(args[at] as Callback)
      return init.apply(this, args)
    }
  }
}

function ownerOfInit(prototype: object | undefined): { init: Callback } | undefined {
  for (let owner = prototype; owner; owner = Object.getPrototypeOf(owner) as object | undefined)
    if (Object.hasOwn(owner, 'init')) return owner as { init: Callback }
  return undefined
}
