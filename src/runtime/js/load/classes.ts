/**
 * Classes of clients that a module does not export, and functions of ES modules: a line at the end of the module's text passes them to Heddle before
 * the program can use them. Runs in the program's thread and, on Node 20, in the loader's.
 */
import type { Client } from '../../../clients/client.ts'

/** Stands for a class in a declaration: what the modules of a package export. */
export const EXPORTS = 'exports'

/** Names of classes, and of functions that modules export, by package. */
export type ClassNames = Readonly<Record<string, readonly string[]>>

/** The global that takes them. */
export const CLASSES = 'heddle.classes'
export type TakeClasses = (file: string, classes: readonly Handed[]) => void
export interface Handed {
  get(): unknown
  /** Of a function that an ES module declares: who imports it gets this one instead. */
  set?(other: unknown): void
}

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/

/** The package that a file lies in; empty outside of packages. */
export const packageOf = (file: string): string => PACKAGE.exec(file)?.[1]?.replace('\\', '/') ?? ''

export function classNames(clients: readonly Client[] = []): ClassNames | undefined {
  const names: Record<string, string[]> = {}
  for (const { packages, calls, tasks = [], puts = [] } of clients)
    for (const name of packages)
      names[name] = [
        ...new Set([
          ...(names[name] ?? []),
          ...[...calls, ...tasks, ...puts].map((one) => (one.class === EXPORTS ? one.method : one.class)),
        ]),
      ]
  return clients.length === 0 ? undefined : names
}

/** The line for the end of a module; empty where there is nothing to hand over. */
export function handOver(file: string, source: string, names: ClassNames | undefined): string {
  const own = (names?.[packageOf(file)] ?? []).flatMap((name) => {
    if (new RegExp(`^export (async )?function ${name}\\b`, 'm').test(source))
      return [`{ get: () => ${name}, set: (other) => void (${name} = other) }`]
    const isThere = new RegExp(`\\bclass ${name}\\b|\\b${name} = class\\b|\\bfunction ${name}\\b`).test(source)
    return isThere ? [`{ get: () => ${name} }`] : []
  })
  if (own.length === 0) return ''
  return `\n;globalThis[Symbol.for('${CLASSES}')]?.(${JSON.stringify(file)}, [${own.join(', ')}])`
}
