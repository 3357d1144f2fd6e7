/**
 * HTTP/2. A session takes over its connection in the engine: every frame that calls back is a turn of the session or of one of its streams. What a
 * server does for one request is a chain named by method and path, as with HTTP/1. Requests and responses are paired by the ends of their connection
 * and the number of their stream (exchanges.ts).
 */
import * as http2 from 'node:http2'
import * as net from 'node:net'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isOwn, runNamed } from '../core.ts'
import { answersFramed, arrivedFramed, failed, heard, requested, sentFramed, type Exchange, type Framed } from './exchanges.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

const LONGEST = 80
const { HTTP2_HEADER_METHOD: METHOD, HTTP2_HEADER_PATH: PATH } = http2.constants

export function wrapHttp2(): void {
  wrapServers()
  replaceMethod(
    createRequire(import.meta.url)('node:http2') as object,
    'connect',
    (original) =>
      function (this: unknown, ...args) {
        const session = Reflect.apply(original, this, args) as object
        once(Object.getPrototypeOf(session) as object, wrapSessions)
        if (!isOwn()) authorities.set(session, String(args[0]))
        return session
      },
  )
  syncBuiltinESMExports()
}

/** Classes that Node does not export are seen with their first object. */
const done = new WeakSet<object>()
function once(prototype: object, wrap: (prototype: object) => void): void {
  if (done.has(prototype)) return
  done.add(prototype)
  wrap(prototype)
}

/** Both servers of HTTP/2 are servers of sockets, and inherit how those emit. */
function wrapServers(): void {
  const emit = Reflect.get(net.Server.prototype, 'emit') as AnyFunction
  const named: AnyFunction = function (this: object, ...args) {
    if (args[0] !== 'stream' || isOwn() || typeof args[1] !== 'object') return Reflect.apply(emit, this, args) as unknown
    const [, stream, headers] = args as [string, Framed, Record<string, string> | undefined]
    once(Object.getPrototypeOf(stream) as object, wrapAnswers)
    arrivedFramed(stream)
    const path = (headers?.[PATH] ?? '').split('?', 1)[0]!.slice(0, LONGEST)
    return runNamed(`${headers?.[METHOD] ?? ''} ${path}`, () => Reflect.apply(emit, this, args) as unknown)
  }
  Object.defineProperty(net.Server.prototype, 'emit', { value: named, writable: true, configurable: true, enumerable: false })
  Object.defineProperty(named, 'name', { value: 'emit' })
}

function wrapAnswers(prototype: object): void {
  for (const name of ['respond', 'respondWithFile', 'respondWithFD'])
    replaceMethod(
      prototype,
      name,
      (original) =>
        function (this: Framed, ...args) {
          answersFramed(this)
          return Reflect.apply(original, this, args) as unknown
        },
    )
}

/** By session: what it was asked to connect to. */
const authorities = new WeakMap<object, string>()
const exchanges = new WeakMap<object, Exchange>()

function wrapSessions(prototype: object): void {
  replaceMethod(
    prototype,
    'request',
    (original) =>
      function (this: object, ...args) {
        const asked = isOwn() ? undefined : askedOf(authorities.get(this), args[0] as Record<string, unknown> | undefined)
        const exchange = asked && requested(asked.method, asked.url)
        const stream = Reflect.apply(original, this, args) as Framed
        if (exchange === undefined) return stream
        once(Object.getPrototypeOf(stream) as object, wrapHearing)
        exchanges.set(stream, exchange)
        sentFramed(exchange, stream)
        return stream
      },
  )
}

function askedOf(
  authority: string | undefined,
  headers: Record<string, unknown> = {},
): { readonly method: string; readonly url: URL } | undefined {
  if (authority === undefined) return undefined
  try {
    return { method: String(headers[METHOD] ?? 'GET'), url: new URL(String(headers[PATH] ?? '/'), authority) }
  } catch {
    // What Node will refuse.
    return undefined
  }
}

function wrapHearing(prototype: object): void {
  const emit = Reflect.get(prototype, 'emit') as AnyFunction
  const hearing: AnyFunction = function (this: object, ...args) {
    if (args[0] === 'response') heard(exchanges.get(this))
    else if (args[0] === 'close') failed(exchanges.get(this))
    return Reflect.apply(emit, this, args) as unknown
  }
  Object.defineProperty(prototype, 'emit', { value: hearing, writable: true, configurable: true, enumerable: false })
  Object.defineProperty(hearing, 'name', { value: 'emit' })
}
