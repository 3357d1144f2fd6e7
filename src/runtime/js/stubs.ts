/**
 * `--timers latency`: a call of an async function across the border between the program and a package stands for an answer of a remote server, which
 * may come at any time: the program's loader that a cache calls, the package's client that the program calls. Such a call ends with an operation of
 * its own, which finishes in a later turn. (Tests put quick stand-ins there; the orders that they hide are real.)
 */
import { types } from 'node:util'
import { decodeSites } from '../../instrument/sites.ts'
import { begin, finish, postOperation } from './resources/operation.ts'
import { unseen } from './core.ts'
import type { RunConfig } from './protocol.ts'
import { callerFile } from './stack.ts'

const NO_EFFECT = { effects: () => [] }
/** The real one: the replayer has others. */
const later = setImmediate

export interface LatencyHooks {
  a(site: number): boolean
  ar<T>(waits: boolean, value: T): T
  l(site: number): Promise<void>
}

/** The real one. */
// oxlint-disable-next-line typescript/unbound-method
const { then } = Promise.prototype
const nothing = (): void => undefined

/** A promise that fails while the answer waits is not one that nobody handles: the answer will fail with it. */
function handle(promise: Promise<unknown>): void {
  if (Object.getPrototypeOf(promise) !== Promise.prototype || Object.hasOwn(promise, 'constructor')) return
  unseen(() => Reflect.apply(then, promise, [nothing, nothing]))
}

const inPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)

export function latencyHooks(config: RunConfig, file: string, encoded: string): LatencyHooks {
  const possible = config.timers === 'latency'
  const packaged = inPackage(file)
  let names: readonly { readonly name: string }[] | undefined
  return {
    a() {
      const caller = possible ? callerFile() : undefined
      return caller !== undefined && inPackage(caller) !== packaged
    },
    ar(waits, value) {
      if (waits && types.isPromise(value) && !types.isProxy(value)) handle(value)
      return value
    },
    l(site) {
      names ??= decodeSites(encoded)
      const op = postOperation('stub', `answer.${names[site]?.name || 'function'}`, {}, NO_EFFECT)
      return new Promise((resolve) => {
        begin(op, () => later(() => finish(op, undefined, undefined, resolve)))
      })
    },
  }
}
