/**
 * A timer on the virtual clock. It is a real Timeout of Node that is never put into Node's own queue. Its class, its properties and its async hooks
 * (which label it) are Node's own; only the time at which it runs is decided here.
 */
import { AsyncResource } from 'node:async_hooks'
import * as core from '../core.ts'
import { tick } from './clock.ts'
import { wheel, type Due } from './phases.ts'
import { clearTimeoutReal, setTimeoutReal } from './real.ts'
import type { List } from './wheel.ts'

type Callback = (...args: unknown[]) => void
interface RealTimeout {
  _idleTimeout: number
  _idleStart: number | null
  _onTimeout: Callback | null
  _timerArgs: unknown[] | undefined
  _repeat: number | null
  _destroyed: boolean
  [Symbol.toPrimitive](): number
}
type RealTimeoutClass = new (
  callback: Callback,
  after: unknown,
  args: unknown[] | undefined,
  repeats: boolean,
  refed: boolean,
) => RealTimeout

const RealTimeout = core.unseen(() => {
  const sample = setTimeoutReal(() => {}, 1)
  clearTimeoutReal(sample)
  return sample.constructor as unknown as RealTimeoutClass
})

/**
 * AsyncResource has symbols of its own for what Timeout has, too: the prototype translates, so that runInAsyncScope works on timers and the
 * resource that the hooks see is the timer.
 */
const TRANSLATED: Readonly<Record<string, string>> = {
  async_id_symbol: 'asyncId',
  trigger_async_id_symbol: 'triggerId',
  context_frame: 'kAsyncContextFrame',
}

function translateSymbols(prototype: object): void {
  const resource = core.unseen(() => new AsyncResource('HEDDLE', { requireManualDestroy: true }))
  const sample = core.unseen(() => new RealTimeout(() => {}, 1, undefined, false, false))
  const ofTimers = Object.getOwnPropertySymbols(sample)
  for (const symbol of Object.getOwnPropertySymbols(resource)) {
    const own = ofTimers.find(({ description }) => description === TRANSLATED[symbol.description ?? ''])
    if (own === undefined || own === symbol) continue
    Object.defineProperty(prototype, symbol, {
      get(this: Record<symbol, unknown>) {
        return this[own]
      },
      configurable: true,
    })
  }
}

const byId = new Map<number, Timeout>()
/** How many timers that are set keep the process alive. */
export let refedCount = 0
let counted: () => void = () => {}
/** Called when timers were set, cleared, ref'd or unref'd. */
export function onCount(action: () => void): void {
  counted = action
}

/** When a timer counts as set, if somebody knows better than the clock. */
let setAt: ((op: core.Op | undefined) => number | undefined) | undefined
export function onSet(ask: typeof setAt): void {
  setAt = ask
}

/** The operation that the hook posts while a timer is constructed. */
let posted: core.Op | undefined
export const notePosted = (op: core.Op): void => {
  posted = op
}

export class Timeout extends RealTimeout implements Due {
  duration: number
  start = 0
  list: List | undefined = undefined
  refed: boolean
  op: core.Op | undefined
  #callback: Callback | null
  /** The async resource its callback runs in. */
  #scope: object = this

  constructor(callback: Callback, after: unknown, args: unknown[] | undefined, repeats: boolean, refed: boolean) {
    posted = undefined
    // To Node it is unref'd and not in any queue; so nothing of Node's book-keeping counts it.
    super(callback, after, args, repeats, false)
    this.op = posted
    if (this.op !== undefined) (this.op as core.Op).data = this
    this.duration = Math.trunc(this._idleTimeout)
    this.refed = refed
    this.#callback = callback
    // Node's own clearTimeout, which some of its modules keep, sets it to null.
    Object.defineProperty(this, '_onTimeout', {
      get: () => this.#callback,
      set: (value: Callback | null) => {
        this.#callback = value
        if (!value) this.stop()
      },
      enumerable: true,
      configurable: true,
    })
    for (const name of ['duration', 'start', 'list', 'refed', 'op']) Object.defineProperty(this, name, { enumerable: false })
    this.insert(setAt?.(this.op) ?? tick())
  }

  private insert(start: number): void {
    if (this.list === undefined && this.refed) refedCount++
    this._idleStart = start
    wheel.insert(this, start)
    counted()
  }

  private stop(): void {
    if (this.list === undefined) return
    if (this.refed) refedCount--
    wheel.remove(this)
    counted()
  }

  clear(): void {
    this._onTimeout = null
    this._destroyed = true
    this._idleTimeout = -1
  }

  fire(): void {
    // The wheel has taken it out.
    if (this.refed) refedCount--
    counted()
    const callback = this.#callback
    if (!callback) return
    const start = tick()
    try {
      AsyncResource.prototype.runInAsyncScope.call(
        this.#scope as AsyncResource,
        () => {
          if (this._timerArgs === undefined) callback.call(this)
          else Reflect.apply(callback, this, this._timerArgs)
        },
        undefined,
      )
    } catch (error) {
      if (this.op !== undefined) core.threw(this.op)
      throw error
    } finally {
      if (this._repeat && this._idleTimeout !== -1) {
        this._idleTimeout = this._repeat
        this.duration = Math.trunc(this._repeat)
        this.insert(start)
      } else if (this.list === undefined) this._destroyed = true
    }
  }

  refresh(): this {
    if (this._idleTimeout < 0) return this
    if (this._destroyed) {
      // Node makes it a new operation.
      const again = new Timeout(this.#callback!, this._idleTimeout, this._timerArgs, false, false)
      again.stop()
      this.op = again.op
      if (this.op !== undefined) this.op.data = this
      this.#scope = again
      this._destroyed = false
    }
    this.insert(tick())
    return this
  }

  ref(): this {
    if (!this.refed) {
      this.refed = true
      if (this.list !== undefined) refedCount++
      counted()
    }
    return this
  }

  unref(): this {
    if (this.refed) {
      this.refed = false
      if (this.list !== undefined) refedCount--
      counted()
    }
    return this
  }

  hasRef(): boolean {
    return this.refed
  }

  close(): this {
    this.clear()
    return this
  }

  override [Symbol.toPrimitive](): number {
    const id = super[Symbol.toPrimitive]()
    byId.set(id, this)
    return id
  }
}

translateSymbols(Timeout.prototype)

const dispose = (Symbol as { dispose?: symbol }).dispose
if (dispose !== undefined) {
  Object.defineProperty(Timeout.prototype, dispose, {
    value(this: Timeout) {
      this.clear()
    },
    configurable: true,
    writable: true,
  })
}

/** clearTimeout and clearInterval. */
export function clear(timer: unknown): void {
  if (timer instanceof Timeout) timer.clear()
  else {
    const known = typeof timer === 'number' || typeof timer === 'string' ? byId.get(Number(timer)) : undefined
    if (known === undefined) clearTimeoutReal(timer as NodeJS.Timeout)
    else {
      byId.delete(Number(timer))
      known.clear()
    }
  }
}
