/** Immediates that ran later in the recorded run, because something else was ready in the same round of the loop. In the replay it was not ready yet. */
import { syncBuiltinESMExports } from 'node:module'
import * as core from '../core.ts'
import { replace } from '../replace.ts'
import { keepEarly } from './early.ts'
import { cannotCome, isEarly } from './guide.ts'
import { keepScope } from './holds.ts'
import { clearImmediateReal, ownLater, soon } from './real.ts'

interface Immediate {
  _onImmediate: ((this: unknown, ...args: unknown[]) => unknown) | null
}

const kept = new WeakMap<object, core.Op>()

export function immediatePosted(op: core.Op, resource: object): void {
  const immediate = resource as Immediate
  const callback = immediate._onImmediate
  if (typeof callback !== 'function') return
  op.data = resource
  immediate._onImmediate = function (this: unknown, ...args) {
    const run = (): unknown => {
      try {
        return core.runInside(op, () => callback.apply(this, args))
      } catch (error) {
        ownLater()
        throw error
      }
    }
    if (!isEarly(op)) return run()
    const inScope = keepScope()
    kept.set(resource, op)
    keepEarly(op, (done) => {
      soon(() => {
        try {
          if (kept.delete(resource)) inScope(run)
        } finally {
          done()
        }
      })
    })
    return undefined
  }
  // Its turn is begun here: one that is kept is none.
  op.wrapped = true
}

/** To Node one that is kept has run. */
export function installImmediates(): void {
  const timers = process.getBuiltinModule('node:timers')
  const clear = (immediate: unknown): void => {
    const op = typeof immediate === 'object' && immediate !== null ? kept.get(immediate) : undefined
    if (op !== undefined) {
      kept.delete(immediate as object)
      cannotCome(op)
    }
    clearImmediateReal(immediate as NodeJS.Immediate)
  }
  for (const target of [globalThis, timers]) replace(target, 'clearImmediate', clear)
  syncBuiltinESMExports()
}
