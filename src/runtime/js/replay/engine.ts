/**
 * Holding what the engine calls back itself: requests (connect, write, dns, crypto) and handles (sockets, servers, child processes). The
 * property that holds the callback is replaced on the one object that an instruction names, and nowhere else. Such an operation can only be
 * held at its finish: when the hook tells of it, it is on its way.
 */
import * as core from '../core.ts'
import { isGuided, keepIfEarly } from './guide.ts'
import { fromPoll, holdIfPlanned, isPlanned, keepScope } from './holds.ts'
import { outsideEnded } from './outside.ts'
import { streamState } from './stream-state.ts'

type Callback = (this: unknown, ...args: unknown[]) => unknown

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

/** Requests that can come back in any order; handles have an order of their own. */
const GUIDED: ReadonlySet<core.Kind> = new Set<core.Kind>(['crypto', 'dns'])

export function enginePosted(op: core.Op, resource: object): void {
  if (!(isPlanned(op) || GUIDED.has(op.kind)) || op.type.includes('.')) return
  for (const name of CALLBACKS[op.kind] ?? []) intercept(op, resource, name)
}

/** When an agent uses a socket again, the operation is new and the handle is not. */
const handleOf = (resource: object): object => (resource as { handle?: object }).handle ?? resource

function intercept(op: core.Op, posted: object, name: string): void {
  const resource = handleOf(posted)
  /** Deliveries behind a held one. */
  const queue: (() => void)[] = []
  let blocked = false
  let closed = false
  let callback: Callback | undefined
  const native = name in (Object.getPrototypeOf(resource) as object)

  const run = (self: unknown, args: unknown[]): unknown => core.runInside(op, () => callback?.apply(self, args))
  const drain = (): void => {
    blocked = false
    while (!blocked) {
      const next = queue.shift()
      if (next === undefined) return
      next()
    }
  }
  /** Every delivery comes from the poll phase on its own, as its own turn. */
  const later = (self: unknown, args: unknown[]): (() => void) => {
    const inScope = keepScope()
    const restore = name === 'onread' ? streamState() : (action: () => void): void => action()
    return () => {
      blocked = true
      fromPoll(() => {
        if (!closed) inScope(() => restore(() => run(self, args)))
        drain()
      })
    }
  }
  const called: Callback = function (this: unknown, ...args) {
    outsideEnded(op)
    if (closed) return undefined
    if (blocked) {
      const deliver = later(this, args)
      const nth = op.dispatches + queue.length + 2
      queue.push(() => {
        if (!hold(nth, deliver)) deliver()
      })
      return undefined
    }
    const deliver = isPlanned(op) || isGuided() ? later(this, args) : undefined
    if (deliver !== undefined && (hold(op.dispatches + 1, deliver) || keepIfEarly(op, deliver))) return undefined
    return run(this, args)
  }
  const hold = (nth: number, deliver: () => void): boolean => {
    const isHeld = holdIfPlanned(op, nth, undefined, deliver)
    if (isHeld) blocked = true
    return isHeld
  }

  const before = Reflect.get(resource, name) as Callback | undefined
  const define = (): void => {
    Object.defineProperty(resource, name, {
      configurable: true,
      enumerable: true,
      get: () => (native ? callback : callback && called),
      set(value: Callback | undefined) {
        callback = value
        // Its turns are begun here from now on: a delivery that is held is none. (The hook names its operation after it has told of it.)
        core.belongsToHeddle(posted)
        core.unseen(() => process.nextTick(() => core.belongsToHeddle(posted)))
        if (!native) return
        // Streams keep `onread` in the engine, which calls what it was given and not the property.
        delete (resource as Record<string, unknown>)[name]
        Reflect.set(resource, name, typeof value === 'function' ? called : value)
        define()
      },
    })
  }
  define()
  if (typeof before === 'function') Reflect.set(resource, name, before)
  const close = Reflect.get(resource, 'close') as Callback | undefined
  if (typeof close === 'function') {
    Object.defineProperty(resource, 'close', {
      configurable: true,
      writable: true,
      enumerable: false,
      value(this: unknown, ...args: unknown[]) {
        closed = true
        return close.apply(this, args)
      },
    })
  }
}
