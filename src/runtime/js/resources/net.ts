/**
 * Ports. Listening and closing are writes of `port:N`, at once; a failed attempt to listen is a read. A connection reads the port it connects to
 * while it is being made. Only ports of this machine count.
 */
import * as net from 'node:net'
import { resolve } from 'node:path'
import { isOwn, listen, type Op } from '../core.ts'
import type { Session } from '../session.ts'
import { read, write } from './operation.ts'
import { replaceMethod } from './stand-in.ts'
import { siteHere, touch } from './touch.ts'

/** Where `listen` was called: the server may listen only some ticks later, with nobody of the program on the stack. */
const listenSites = new WeakMap<net.Server, number>()

export function wrapNet(): void {
  replaceMethod(
    net.Server.prototype,
    'listen',
    (original) =>
      function (this: net.Server, ...args) {
        if (!isOwn()) listenSites.set(this, siteHere())
        return original.apply(this, args)
      },
  )
  // What `listen` ends in, however the port was given: synchronous, with the outcome in the server.
  replaceMethod(
    net.Server.prototype,
    '_listen2',
    (original) =>
      function (this: net.Server & { _handle: unknown }, ...args) {
        const result: unknown = original.apply(this, args)
        if (isOwn()) return result
        const [address, port] = args as [unknown, unknown]
        const site = listenSites.get(this)
        if (this._handle) touch(locations(this).map(write), site)
        else if (typeof port === 'number' && port > 0) touch([read(`port:${port}`)], site)
        else if (typeof address === 'string') touch([read(`file:${resolve(address)}`)], site)
        return result
      },
  )
  replaceMethod(
    net.Server.prototype,
    'close',
    (original) =>
      function (this: net.Server & { _handle: unknown }, ...args) {
        if (this._handle && !isOwn()) touch(locations(this).map(write))
        return original.apply(this, args)
      },
  )
}

function locations(server: net.Server): string[] {
  try {
    const address = server.address()
    if (typeof address === 'string') return [`file:${resolve(address)}`]
    return address === null ? [] : [`port:${address.port}`]
  } catch {
    return []
  }
}

interface ConnectRequest {
  readonly address?: string
  readonly port?: number
}

/** Requests know where they go only after they were posted: they are looked at when they call back. Call before turns are recorded. */
export function watchConnects(session: Session): void {
  const requests = new Map<Op, ConnectRequest>()
  const tell = (op: Op, { address, port }: ConnectRequest): void => {
    if (port === undefined) {
      if (address !== undefined) session.addEffects(op, [read(`file:${resolve(address)}`)], op.site)
    } else if (address !== undefined && /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$|localhost$)/.test(address)) {
      session.addEffects(op, [read(`port:${port}`)], op.site)
    }
  }
  listen({
    posted(op, resource) {
      if (op.kind === 'connect') requests.set(op, resource as ConnectRequest)
    },
    turnBegan(_turn, op) {
      if (op.kind !== 'connect') return
      const request = requests.get(op)
      requests.delete(op)
      if (request !== undefined) tell(op, request)
    },
  })
  session.beforeEnd.push(() => {
    for (const [op, request] of requests) tell(op, request)
  })
}
