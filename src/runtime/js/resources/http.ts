/**
 * What a server does for one request is a chain of its own, known by method and URL: whichever connection the request came on, the chain has the same label in every
 * run, and people see `POST /orders/7/pay`.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import { subscribe } from 'node:diagnostics_channel'
import { AFTER } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { firstTurn, isOwn, runNamed, turn } from '../core.ts'
import type { Session } from '../session.ts'
import { settle } from '../turns.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

const LONGEST = 80

/** By the port of the client's end of a connection: the turn in which the last answer on it began. */
const answered = new Map<number, number>()

interface Connection {
  readonly localPort?: number
  readonly remotePort?: number
}

/** Who gets an answer from a server of the same program comes after the turn that gave it. */
export function pairAnswers(session: Session): void {
  replaceMethod(
    http.ServerResponse.prototype,
    'writeHead',
    (original) =>
      function (this: http.ServerResponse, ...args) {
        const port = (this.socket as Connection | null)?.remotePort
        if (port !== undefined && !isOwn()) answered.set(port, turn)
        return original.apply(this, args) as unknown
      },
  )
  const came = (connection: Connection | null | undefined): void => {
    const port = connection?.localPort
    const when = port === undefined ? undefined : answered.get(port)
    if (when === undefined || isOwn()) return
    answered.delete(port!)
    settle()
    // Of all that this turn goes on to do.
    session.add(AFTER, NONE, session.values.codeOf(-1 - (when - firstTurn)))
  }
  subscribe('http.client.response.finish', (message) => came((message as { request: { socket?: Connection } }).request.socket))
  const sockets = new WeakMap<object, Connection>()
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Connection }
    sockets.set(request, socket)
  })
  subscribe('undici:request:headers', (message) => came(sockets.get((message as { request: object }).request)))
}

export function wrapHttp(): void {
  for (const server of [http.Server, https.Server]) {
    const emit = Reflect.get(server.prototype, 'emit') as AnyFunction
    const named: AnyFunction = function (this: object, ...args) {
      if (args[0] !== 'request' || isOwn()) return Reflect.apply(emit, this, args) as unknown
      const { method = '', url = '' } = args[1] as { method?: string; url?: string }
      return runNamed(`${method} ${url.split('?', 1)[0]!.slice(0, LONGEST)}`, () => Reflect.apply(emit, this, args) as unknown)
    }
    Object.defineProperty(server.prototype, 'emit', { value: named, writable: true, configurable: true, enumerable: false })
    Object.defineProperty(named, 'name', { value: 'emit' })
  }
}
