/**
 * Messages between threads. What the program sends travels in an envelope that has its sender, its time, and the shared buffers in it. The envelope
 * is removed before the program sees the message. Sending is a step, and so is receiving.
 *
 * A message is received where the engine calls a port (`nodejs.internal.kHybridDispatch`, below all kinds of listeners, also for Worker and
 * BroadcastChannel, which have a port inside), in receiveMessageOnPort, and in `workerMessage` of process. All ports open envelopes, but only the
 * program's ports make them (ports.ts).
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Names } from '../../../base/names.ts'
import { NOTIFY, NOTIFY_ALL, WAKE } from '../../../trace/ops.ts'
import * as core from '../core.ts'
import { dress, replaceMethod, type AnyFunction } from '../resources/stand-in.ts'
import { adopt, buffersIn } from './buffers.ts'
import { isHeard, markOf, markPort, portsListed, watchChannels } from './ports.ts'
import { otherStep } from './spinning.ts'
import { advance, ownTask, step, stream } from './steps.ts'
import { portsIn } from './walk.ts'

/** What require gives: the program's own view of the module, where functions can be replaced. */
export const threads = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads')

const KEY = '\0heddle: message'
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch')
const RECEIVED_PORTS = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts')

/** An array: cheaper to clone than an object with names. The last two are absent where there is nothing to say. */
type Envelope = [
  key: typeof KEY,
  /** The sender and how many messages it has sent: `worker 1:17`. */
  name: string,
  /** The number of that name in the sender's table of signals, negative where many may receive it. */
  signal: number,
  /** The stamp of the step. */
  at: number,
  value: unknown,
  labels?: readonly string[],
  /** How many ports were listed to be transferred; -1 when that is not known. */
  ports?: number,
]
const VALUE = 4

const isEnvelope = (data: unknown): data is Envelope => Array.isArray(data) && data[0] === KEY

let sent = 0

/** Sends a value by `post`. What it throws is the program's, and then nothing was sent: its number is not used again. */
function send<T>(value: unknown, ports: number, many: boolean, post: (envelope: Envelope) => T): T {
  const labels = buffersIn(value)
  const name = `${ownTask.name}:${++sent}`
  // Names of messages are new: to look for them would cost more than all the rest.
  const signal = stream === undefined ? 0 : stream.signals.append(`message ${name}`)
  otherStep()
  return step(
    'post',
    (at) => {
      const envelope: Envelope = [KEY, name, many ? ~signal : signal, at, value]
      if (labels.length > 0 || ports !== 0) envelope.push(labels, ports)
      return post(envelope)
    },
    (into) => into.add(many ? NOTIFY_ALL : NOTIFY, signal, undefined, into.place()),
  )
}

/** Takes the value out. `arrived`: the ports that came with it, if the engine has told. */
function open([, name, signal, at, value, labels, ports = 0]: Envelope, arrived: readonly object[] | undefined, called: boolean): unknown {
  adopt(value, labels)
  // Streams and the like bring ports that are Node's.
  if (ports !== 0) for (const port of arrived?.length === ports ? arrived : portsIn(value)) markPort(port)
  advance(at)
  otherStep()
  step(
    'receive',
    () => {},
    (into) => into.add(WAKE, numberOf(into.signals, name, signal), undefined, called ? into.place() : undefined),
  )
  return value
}

/** In this thread's table. */
function numberOf(signals: Names, name: string, signal: number): number {
  if (name.startsWith(`${ownTask.name}:`)) return signal < 0 ? ~signal : signal
  return signal < 0 ? signals.intern(`message ${name}`) : signals.append(`message ${name}`)
}

/** Call before the program's first line. `isOwn` says whether a channel that is made is Heddle's. */
export function watchMessages(isOwn: () => boolean = core.isOwn): void {
  watchChannels(threads, isOwn)
  watchPorts()
  watchReceive()
  watchMoves()
  watchClones()
  watchThreadMessages()
  syncBuiltinESMExports()
}

function watchPorts(): void {
  const prototype = threads.MessagePort.prototype as object
  replaceMethod(
    prototype,
    'postMessage',
    (post) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const mark = markOf(this)
        if (mark === undefined || mark.plain || args.length === 0) return post.apply(this, args)
        return send(args[0], portsListed(args[1], 'transfer'), mark.broadcast, (envelope) => {
          args[0] = envelope
          return post.apply(this, args)
        })
      },
  )
  const dispatch = Reflect.get(prototype, DISPATCH) as AnyFunction
  const value = function (this: object, data: unknown, type: unknown, event: unknown): unknown {
    if (type === 'message' && isEnvelope(data))
      data = isHeard(this) ? open(data, Reflect.get(this, RECEIVED_PORTS) as object[] | undefined, false) : data[VALUE]
    return dispatch.call(this, data, type, event)
  }
  Object.defineProperty(prototype, DISPATCH, { value: dress(value, dispatch), writable: true, configurable: true, enumerable: false })
}

function watchReceive(): void {
  replaceMethod(
    threads,
    'receiveMessageOnPort',
    (receive) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const got = receive.apply(this, args) as { message: unknown } | undefined
        if (got !== undefined && isEnvelope(got.message)) got.message = open(got.message, undefined, true)
        return got
      },
  )
}

/** What the port of another context gives to its listener. There is nothing of ours in that context, so it is made here. */
class MessageEvent {
  constructor(
    readonly data: unknown,
    readonly target: unknown,
    readonly type: unknown,
    readonly ports: readonly unknown[],
  ) {}
}

/** A port in another context calls its `onmessage` and knows no other listeners. It sends plain messages. */
function watchMoves(): void {
  replaceMethod(
    threads,
    'moveMessagePortToContext',
    (move) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const port = move.apply(this, args) as object
        const value = function (this: object, data: unknown, type: string): void {
          const listener: unknown = Reflect.get(this, `on${type}`)
          if (typeof listener !== 'function') return
          const ports = Reflect.get(this, RECEIVED_PORTS) as object[] | undefined
          listener.call(this, new MessageEvent(isEnvelope(data) ? open(data, ports, false) : data, this, type, ports ?? []))
        }
        Object.defineProperty(port, DISPATCH, { value, writable: true, configurable: true, enumerable: false })
        Object.defineProperty(port, RECEIVED_PORTS, { value: undefined, writable: true, configurable: true, enumerable: false })
        return port
      },
  )
}

/** The same buffers under other objects, in one thread. */
function watchClones(): void {
  replaceMethod(
    globalThis,
    'structuredClone',
    (clone) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const labels = buffersIn(args[0])
        const ports = portsListed(args[1], 'transfer')
        const copy: unknown = clone.apply(this, args)
        adopt(copy, labels)
        if (ports !== 0) for (const port of portsIn(copy)) markPort(port)
        return copy
      },
  )
}

/** Messages to a thread by its number; they come as an event of process. */
function watchThreadMessages(): void {
  replaceMethod(
    threads,
    'postMessageToThread',
    (post) =>
      function (this: unknown, ...args: unknown[]): unknown {
        if (args.length < 2) return post.apply(this, args)
        return send(args[1], portsListed(args[2], ''), false, (envelope) => {
          args[1] = envelope
          return post.apply(this, args)
        })
      },
  )
  const emit = process.emit as AnyFunction
  const value = function (this: unknown, ...args: unknown[]): unknown {
    if (args[0] === 'workerMessage' && isEnvelope(args[1]))
      args[1] = process.listenerCount('workerMessage') > 0 ? open(args[1], undefined, false) : args[1][VALUE]
    return emit.apply(this, args)
  }
  const enumerable = Object.prototype.propertyIsEnumerable.call(process, 'emit')
  Object.defineProperty(process, 'emit', { value: dress(value, emit), writable: true, configurable: true, enumerable })
}
