/**
 * Node's own functions as they were before the program started. The replay replaces some of them and still needs the originals. Everything that is
 * posted through them is Heddle's own and not part of the program.
 */
import * as core from '../core.ts'

const timers = process.getBuiltinModule?.('node:timers') as typeof import('node:timers') | undefined
export const setTimeoutReal = timers?.setTimeout ?? setTimeout
export const setImmediateReal = timers?.setImmediate ?? setImmediate
export const clearTimeoutReal = timers?.clearTimeout ?? clearTimeout
export const clearImmediateReal = timers?.clearImmediate ?? clearImmediate
export const DateReal = Date
export const dateNow = Date.now.bind(Date)
const hrtime = process.hrtime.bigint.bind(process.hrtime)
export const activeResources = (process as { getActiveResourcesInfo?(): string[] }).getActiveResourcesInfo?.bind(process) ?? (() => [])

const began = hrtime()

/** Real milliseconds since this module was loaded. */
export const realNow = (): number => Number(hrtime() - began) / 1e6

/** What Heddle wants to be called for in the next check phase. */
export interface Soon {
  handle: NodeJS.Immediate
  readonly action: () => void
}
const own = new Set<Soon>()

export function soon(action: () => void): Soon {
  const one: Soon = { handle: immediate(() => run(one)), action }
  own.add(one)
  return one
}

const immediate = (action: () => void): NodeJS.Immediate => core.unseen(() => setImmediateReal(action))

function run(one: Soon): void {
  own.delete(one)
  one.action()
}

export function notSoon(one: Soon): void {
  own.delete(one)
  clearImmediateReal(one.handle)
}

/**
 * An immediate of the program throws. If somebody handles that, Node goes on with the next immediate, and then with the ticks that were posted before: so the next one must not be
 * Heddle's own. Call it before the immediate is left.
 */
export function ownLater(): void {
  for (const one of own) {
    clearImmediateReal(one.handle)
    one.handle = immediate(() => run(one))
  }
}

export const after = (ms: number, action: () => void): NodeJS.Timeout => core.unseen(() => setTimeoutReal(action, ms))

const nobody = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread until the real clock shows `until`. */
export function block(until: number): void {
  for (let left = until - realNow(); left > 0; left = until - realNow()) Atomics.wait(nobody, 0, 0, left)
}
