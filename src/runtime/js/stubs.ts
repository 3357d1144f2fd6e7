/**
 * `--timers latency`: an async function that is called across the border between the program and a package stands for an answer from
 * elsewhere, which may come at any time: the program's loader that a cache calls, the package's client that the program calls. Such a call
 * ends with an operation of its own, which finishes in a later turn. (Tests put quick stand-ins there; the order they hide is real.)
 */
import { decodeSites } from '../../instrument/sites.ts'
import { begin, finish, postOperation } from './resources/operation.ts'
import type { RunConfig } from './protocol.ts'
import { callerFile } from './stack.ts'

const NO_EFFECT = { effects: () => [] }
/** The real one: the replayer has others. */
const later = setImmediate

export interface LatencyHooks {
  a(site: number): boolean
  l(site: number): Promise<void>
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
    l(site) {
      names ??= decodeSites(encoded)
      const op = postOperation('stub', `answer.${names[site]?.name || 'function'}`, {}, NO_EFFECT)
      return new Promise((resolve) => {
        begin(op, () => later(() => finish(op, undefined, undefined, resolve)))
      })
    },
  }
}
