/**
 * Events that a client emits: it is connected, a message arrived on a channel, its connection is closed. They come from internal work of the client,
 * which is not recorded, but the program listens. So each event is a turn of a handle of the client, posted when the program first got the object or
 * began to listen.
 */
import { isOwn, post, type Op } from '../core.ts'
import type { AnyFunction } from '../resources/stand-in.ts'
import { answer } from './answering.ts'

const handles = new WeakMap<object, Op>()

export function tellsByItself(name: string, prototype: object): void {
  const emit: unknown = Reflect.get(prototype, 'emit')
  if (typeof emit !== 'function') return
  for (const method of ['on', 'once', 'addListener', 'prependListener']) {
    const listen = Reflect.get(prototype, method) as AnyFunction | undefined
    if (typeof listen !== 'function') continue
    define(prototype, method, function (this: object, ...args) {
      if (!isOwn() && !handles.has(this)) handles.set(this, post('client', name, this))
      return Reflect.apply(listen, this, args) as unknown
    })
  }
  define(prototype, 'emit', function (this: object, ...args) {
    const handle = handles.get(this)
    // Where nobody listens nothing is told.
    if (handle === undefined || !isOwn() || !isHeard(this, args[0])) return Reflect.apply(emit, this, args) as unknown
    answer(handle, () => Reflect.apply(emit, this, args) as unknown)
    return true
  })
}

const isHeard = (emitter: object, event: unknown): boolean => {
  const count = Reflect.get(emitter, 'listenerCount') as AnyFunction | undefined
  return typeof count !== 'function' || (Reflect.apply(count, emitter, [event]) as number) > 0
}

function define(prototype: object, name: string, value: AnyFunction): void {
  Object.defineProperty(value, 'name', { value: name, configurable: true })
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false })
}
