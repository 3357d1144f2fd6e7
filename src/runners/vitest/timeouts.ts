/**
 * Vitest limits tests and hooks by timers that it sets inside them. They are not part of the program, and a replay must not make them fire early.
 * Vitest takes its timer functions from an object of its own when tests are collected; until the collection is over they are ours. Not longer:
 * `vi.waitFor` takes its timers from there, too, and these are the program's.
 */
import { unseen } from '../../runtime/js/core.ts'

type Timers = Record<string, unknown>
type AnyFunction = (...args: unknown[]) => unknown

export class HideTimers {
  #kept: { readonly timers: Timers; readonly setTimeout: unknown; readonly clearTimeout: unknown } | undefined

  hide(): void {
    if (this.#kept !== undefined) return
    const place = Object.getOwnPropertySymbols(globalThis).find((symbol) => symbol.description === 'vitest:SAFE_TIMERS')
    const timers = place && (globalThis as unknown as Record<symbol, Timers | undefined>)[place]
    if (timers === undefined) return
    this.#kept = { timers, setTimeout: timers['setTimeout'], clearTimeout: timers['clearTimeout'] }
    for (const name of ['setTimeout', 'clearTimeout'] as const) {
      const own = timers[name]
      if (typeof own === 'function') timers[name] = (...args: unknown[]) => unseen(() => (own as AnyFunction)(...args))
    }
  }

  show(): void {
    if (this.#kept === undefined) return
    const { timers, setTimeout, clearTimeout } = this.#kept
    Object.assign(timers, { setTimeout, clearTimeout })
    this.#kept = undefined
  }
}
