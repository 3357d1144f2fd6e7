/**
 * setTimeout and related functions on the virtual clock: the globals, the modules timers and timers/promises, AbortSignal.timeout, and the time-outs
 * of sockets. Wrong arguments are passed to Node's own functions, which throw their usual errors.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import * as core from '../core.ts'
import { post } from './post.ts'
import { replace } from '../replace.ts'
import { clear, Timeout } from './timeout.ts'
import { promiseTimers } from './timers-promises.ts'

type AnyFunction = (...args: never[]) => unknown
type Callback = (...args: unknown[]) => void

export function installTimers(): void {
  const require = createRequire(import.meta.url)
  const timers = require('node:timers') as object
  const setTimeoutBefore = setTimeout as unknown as Callback
  const setIntervalBefore = setInterval as unknown as Callback
  const set = (before: Callback, repeats: boolean) =>
    function (callback: Callback, after: unknown, ...args: unknown[]): unknown {
      if (typeof callback !== 'function' || core.isOwn()) return Reflect.apply(before, undefined, [callback, after, ...args])
      return post(callback, after, args.length === 0 ? undefined : args, repeats, true)
    }
  const setTimeoutNew = set(setTimeoutBefore, false)
  const setIntervalNew = set(setIntervalBefore, true)
  const clearTimeoutNew = (timer: unknown): void => clear(timer)
  const clearIntervalNew = (timer: unknown): void => clear(timer)
  const promises = promiseTimers(require('node:timers/promises') as Parameters<typeof promiseTimers>[0])
  Object.defineProperty(setTimeoutNew, promisify.custom, { get: () => promises.setTimeout, enumerable: true, configurable: true })
  for (const target of [globalThis, timers]) {
    replace(target, 'setTimeout', setTimeoutNew as AnyFunction)
    replace(target, 'setInterval', setIntervalNew as AnyFunction)
    replace(target, 'clearTimeout', clearTimeoutNew)
    replace(target, 'clearInterval', clearIntervalNew)
  }
  installAbortTimeout()
  installSocketTimeouts(require('node:net') as typeof import('node:net'))
  syncBuiltinESMExports()
}

function installAbortTimeout(): void {
  const before = AbortSignal.timeout.bind(AbortSignal)
  replace(AbortSignal, 'timeout', (delay: number): AbortSignal => {
    if (!Number.isInteger(delay) || delay < 0 || delay > 2 ** 32 - 1) return before(delay)
    const controller = new AbortController()
    const error = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    post(() => controller.abort(error()), delay, undefined, false, false)
    return controller.signal
  })
}

interface SocketLike {
  destroyed: boolean
  timeout: number | undefined
  _onTimeout(): void
  once(event: string, listener: unknown): void
  removeListener(event: string, listener: unknown): void
  [key: symbol]: Timeout | null | undefined
}

function installSocketTimeouts(net: typeof import('node:net')): void {
  const kTimeout = core.unseen(() => Object.getOwnPropertySymbols(new net.Socket()).find((symbol) => symbol.description === 'timeout'))
  if (kTimeout === undefined) return
  const before = net.Socket.prototype.setTimeout as unknown as (this: unknown, ...args: unknown[]) => unknown
  replace(net.Socket.prototype, 'setTimeout', function (this: SocketLike, ms: unknown, callback?: unknown): unknown {
    const plain = typeof ms === 'number' && ms >= 0 && ms <= 2 ** 31 - 1 && (callback === undefined || typeof callback === 'function')
    if (!plain || core.isOwn()) return before.call(this, ms, callback)
    if (this.destroyed) return this
    this.timeout = ms
    if (this[kTimeout]) clear(this[kTimeout])
    if (ms === 0) {
      if (callback !== undefined) this.removeListener('timeout', callback)
    } else {
      this[kTimeout] = post(this._onTimeout.bind(this), ms, undefined, false, false)
      if (callback !== undefined) this.once('timeout', callback)
    }
    return this
  } as AnyFunction)
}
