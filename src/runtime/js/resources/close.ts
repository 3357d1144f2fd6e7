/**
 * The close callback of a handle (socket, server, pipe): an operation of its own, posted by the turn that called `close`. All handles share
 * one `close`, on the prototype of the engine's class for handles.
 */
import { belongsToHeddle, isOwn } from '../core.ts'
import { engine } from '../engine.ts'
import { begin, finish, postOperation, type Plan } from './operation.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

const NO_EFFECT: Plan = { effects: () => [] }

export function wrapClose(): void {
  const tcp = engine('tcp_wrap') as { TCP?: { prototype: object } } | undefined
  // A connection that is reset is closed as well.
  for (const name of ['close', 'reset']) {
    let owner: object | null = tcp?.TCP?.prototype ?? null
    while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object | null
    if (owner !== null) replaceMethod(owner, name, closing)
  }
}

const closing = (original: AnyFunction): AnyFunction =>
  function (this: object, ...args) {
    const callback: unknown = args[0]
    if (isOwn() || typeof callback !== 'function') return original.apply(this, args)
    const op = postOperation('close', 'close', this, NO_EFFECT)
    args[0] = function (this: unknown, ...results: unknown[]) {
      finish(op, undefined, undefined, () => (callback as AnyFunction).apply(this, results))
    }
    return begin(op, () => {
      // The engine calls back in the name of the handle; what it calls is ours, and that is all the handle will ever call again.
      belongsToHeddle(this)
      return original.apply(this, args) as unknown
    })
  }
