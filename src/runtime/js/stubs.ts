/**
 * `--timers latency`: an async function of the program that a package calls stands for a server (a fetcher, a store, a back end), and its
 * answer may come at any time. Such a call begins with an operation of its own, which ends in a later turn.
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
  const possible = config.timers === 'latency' && !inPackage(file)
  let names: readonly { readonly name: string }[] | undefined
  return {
    a: () => possible && inPackage(callerFile() ?? ''),
    l(site) {
      names ??= decodeSites(encoded)
      const op = postOperation('stub', `answer.${names[site]?.name || 'function'}`, {}, NO_EFFECT)
      return new Promise((resolve) => {
        begin(op, () => later(() => finish(op, undefined, undefined, resolve)))
      })
    },
  }
}
