/**
 * HTTP in both directions. What a server does for one request is a chain of its own, named by method and URL: whichever connection the request came
 * on, the chain has the same label in every run, and findings show `POST /orders/7/pay`. Requests that the program sends are operations
 * (exchanges.ts).
 */
import { subscribe } from 'node:diagnostics_channel'
import * as http from 'node:http'
import * as https from 'node:https'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { boundary } from '../boundary.ts'
import { inChain, current, isOwn, runNamed } from '../core.ts'
import type { Session } from '../session.ts'
import { answers, arrived, failed, heard, requested, sent, startExchanges, type Exchange } from './exchanges.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'
import { watchPipes, type Connection } from './wires.ts'

const LONGEST = 80

export function wrapHttp(session: Session): void {
  startExchanges(session)
  watchPipes()
  wrapServers()
  wrapRequests()
  wrapFetch()
  watchUndici()
}

function wrapServers(): void {
  for (const server of [http.Server, https.Server]) {
    const emit = Reflect.get(server.prototype, 'emit') as AnyFunction
    const named: AnyFunction = function (this: object, ...args) {
      if (args[0] !== 'request' || isOwn()) return Reflect.apply(emit, this, args) as unknown
      const { method = '', url = '', socket } = args[1] as { method?: string; url?: string; socket?: Connection }
      const path = url.split('?', 1)[0]!
      arrived(socket, method, path)
      return runNamed(`${method} ${path.slice(0, LONGEST)}`, () => Reflect.apply(emit, this, args) as unknown)
    }
    Object.defineProperty(server.prototype, 'emit', { value: named, writable: true, configurable: true, enumerable: false })
    Object.defineProperty(named, 'name', { value: 'emit' })
  }
  replaceMethod(
    http.ServerResponse.prototype,
    'writeHead',
    (original) =>
      function (this: http.ServerResponse, ...args) {
        answers(this.socket)
        return original.apply(this, args) as unknown
      },
  )
}

/** Requests of Node's http, from the call of the program on. */
const requests = new WeakMap<object, Exchange>()
/** The one whose object is just being made. */
let making: Exchange | undefined

function wrapRequests(): void {
  const modules = createRequire(import.meta.url)
  for (const [name, protocol] of [
    ['node:http', 'http:'],
    ['node:https', 'https:'],
  ] as const)
    for (const method of ['request', 'get'])
      replaceMethod(
        modules(name) as object,
        method,
        (original) =>
          function (this: unknown, ...args) {
            const asked = isOwn() ? undefined : optionsOf(protocol, args)
            const exchange = asked && requested(asked.method, asked.url, asked.host)
            if (exchange === undefined) return Reflect.apply(original, this, args) as unknown
            making = exchange
            try {
              const request = Reflect.apply(original, this, args) as object
              requests.set(request, exchange)
              return request
            } finally {
              making = undefined
            }
          },
      )
  syncBuiltinESMExports()
  // Here a connection is chosen: nothing has been sent before.
  replaceMethod(
    http.ClientRequest.prototype,
    'onSocket',
    (original) =>
      function (this: object, ...args) {
        const exchange = requests.get(this) ?? making
        making = undefined
        if (exchange === undefined) return Reflect.apply(original, this, args) as unknown
        const here = current
        boundary.depart(exchange.request, () =>
          inChain(here, () => {
            if (args[0]) sent(exchange, args[0] as Connection)
            Reflect.apply(original, this, args)
          }),
        )
        return undefined
      },
  )
  const of = (message: unknown): Exchange | undefined => requests.get((message as { request: object }).request)
  subscribe('http.client.response.finish', (message) => heard(of(message)))
  subscribe('http.client.request.error', (message) => failed(of(message)))
}

interface Asked {
  readonly method: string
  readonly url: URL
  /** Where that is not the host of the URL: a Unix socket. */
  readonly host?: string
}

/** `request(url, options, callback)` or `request(options, callback)`. */
function optionsOf(protocol: string, args: readonly unknown[]): Asked | undefined {
  try {
    const isUrl = typeof args[0] === 'string' || args[0] instanceof URL
    const options = ((isUrl ? args[1] : args[0]) ?? {}) as Record<string, unknown>
    const base = isUrl ? new URL(String(args[0])) : new URL(`${protocol}//${textOf(options['hostname'] ?? options['host'], 'localhost')}`)
    if (!isUrl && options['port']) base.port = textOf(options['port'], '')
    const url = typeof options['path'] === 'string' ? new URL(options['path'], base) : base
    const asked = { method: textOf(options['method'], 'GET').toUpperCase(), url }
    return typeof options['socketPath'] === 'string' ? { ...asked, host: `unix:${resolve(options['socketPath'])}:` } : asked
  } catch {
    // What Node will refuse, or understands and we do not.
    return undefined
  }
}

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise

/** Calls of `fetch` that undici has not begun to carry out. */
const fetched: Exchange[] = []

function wrapFetch(): void {
  replaceMethod(
    globalThis,
    'fetch',
    (original) =>
      function (this: unknown, ...args) {
        const asked = isOwn() ? undefined : fetchOf(args)
        const exchange = asked && requested(asked.method, asked.url)
        if (exchange === undefined) return Reflect.apply(original, this, args) as unknown
        fetched.push(exchange)
        const here = current
        let result: Promise<unknown> | undefined
        let later: ((result: Promise<unknown>) => void) | undefined
        boundary.depart(exchange.request, () => {
          result = inChain(here, () => Reflect.apply(original, this, args) as Promise<unknown>)
          later?.(result)
        })
        return result ?? new Promise((resolve) => (later = resolve))
      },
  )
}

function fetchOf([input, init]: readonly unknown[]): Asked | undefined {
  try {
    const { url = String(input), method } = (typeof input === 'object' && input !== null ? input : {}) as { url?: string; method?: string }
    const { method: given } = (init ?? {}) as { method?: string }
    return { method: textOf(given ?? method, 'GET').toUpperCase(), url: new URL(url) }
  } catch {
    return undefined
  }
}

interface UndiciRequest {
  readonly method?: string
  readonly origin?: string | URL
  readonly path?: string
}

/** That of Node itself, which carries `fetch` out, and the package. */
function watchUndici(): void {
  const exchanges = new WeakMap<object, Exchange>()
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: UndiciRequest }
    const asked = undiciOf(request)
    if (asked === undefined) return
    const { host, pathname } = asked.url
    const at = fetched.findIndex(({ method, url }) => method === asked.method && url === `${host}${pathname.slice(0, LONGEST)}`)
    const exchange = at < 0 ? requested(asked.method, asked.url) : fetched.splice(at, 1)[0]
    if (exchange !== undefined) exchanges.set(request, exchange)
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Connection }
    const exchange = exchanges.get(request)
    if (exchange !== undefined) sent(exchange, socket)
  })
  const of = (message: unknown): Exchange | undefined => exchanges.get((message as { request: object }).request)
  subscribe('undici:request:headers', (message) => heard(of(message)))
  subscribe('undici:request:error', (message) => failed(of(message)))
}

function undiciOf({ method = 'GET', origin = '', path = '/' }: UndiciRequest): Asked | undefined {
  try {
    return { method: method.toUpperCase(), url: new URL(path, String(origin)) }
  } catch {
    return undefined
  }
}
