/**
 * The two ends of a connection, if both are in this process. A TCP end is identified by its ports. An end of a Unix socket has no name. But the
 * kernel accepts connections in the order in which they were made, so the nth connection of this process to a path is the nth that its server at that
 * path accepts. That is wrong if other processes connect to the same path, so callers also compare the data.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { resolve } from 'node:path'
import { engine } from '../engine.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

/** An end of a connection: a socket. */
export interface Connection {
  readonly localPort?: number | undefined
  readonly remotePort?: number | undefined
  readonly _handle?: object | null | undefined
}

/** What this end is called, and what the other one is. */
interface Ends {
  readonly own: string
  readonly other: string
}

/** By the handle of a Unix socket. */
const pipes = new WeakMap<object, Ends>()
/** Connections of this process that no server of it has accepted yet, by path. */
const waiting = new Map<string, object[]>()
/** Those that were made, and where no server of this process has accepted them, who else did. */
let made = 0
let accepted = 0

/** Do connections by Unix sockets lead out of this process? */
export const hasPipesElsewhere = (): boolean => made > accepted

export const isPipe = ({ _handle: handle }: Connection): boolean => handle != null && pipes.has(handle)

function endsOf({ _handle: handle, localPort, remotePort }: Connection): Ends | undefined {
  const pipe = handle == null ? undefined : pipes.get(handle)
  if (pipe !== undefined || localPort === undefined || remotePort === undefined) return pipe
  return { own: `${localPort} ${remotePort}`, other: `${remotePort} ${localPort}` }
}

export const isSameEnd = (one: Connection, another: Connection): boolean => {
  const [a, b] = [endsOf(one), endsOf(another)]
  return a !== undefined && a.own === b?.own
}

export const areTwoEnds = (one: Connection, another: Connection): boolean => {
  const [a, b] = [endsOf(one), endsOf(another)]
  return a !== undefined && a.own === b?.other
}

export function watchPipes(): void {
  const { Pipe } = (engine('pipe_wrap') ?? {}) as { Pipe?: { prototype: object } }
  if (Pipe === undefined) return
  replaceMethod(
    Pipe.prototype,
    'connect',
    (original) =>
      function (this: object, ...args) {
        const [request, path] = args as [{ oncomplete?: AnyFunction }, string]
        const queue = queueOf(resolve(path))
        queue.push(this)
        made++
        const refused = (): void => {
          const at = queue.indexOf(this)
          if (at < 0) return
          queue.splice(at, 1)
          made--
        }
        const { oncomplete } = request
        request.oncomplete = function (this: unknown, ...results) {
          if (results[0] !== 0) refused()
          return oncomplete && (Reflect.apply(oncomplete, this, results) as unknown)
        }
        return Reflect.apply(original, this, args) as unknown
      },
  )
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Connection & { server?: Server } }
    const address = socket.server?.address()
    const client = typeof address === 'string' ? queueOf(resolve(address)).shift() : undefined
    if (client === undefined || socket._handle == null) return
    const nth = ++accepted
    pipes.set(client, { own: `client ${nth}`, other: `server ${nth}` })
    pipes.set(socket._handle, { own: `server ${nth}`, other: `client ${nth}` })
  })
}

function queueOf(path: string): object[] {
  let queue = waiting.get(path)
  if (queue === undefined) waiting.set(path, (queue = []))
  return queue
}
