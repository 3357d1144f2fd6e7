/**
 * Classes of clients that a module does not export: in an ES module or a bundle. A line at the end of the module's text passes them to Heddle before
 * the program can use them. Runs in the program's thread and, on Node 20, in the loader's.
 */
import type { Client } from '../../../clients/client.ts'

/** Names of classes, by package. */
export type ClassNames = Readonly<Record<string, readonly string[]>>

/** The global that takes them. */
export const CLASSES = 'heddle.classes'
export type TakeClasses = (file: string, classes: readonly (() => unknown)[]) => void

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/

/** The package that a file lies in; empty outside of packages. */
export const packageOf = (file: string): string => PACKAGE.exec(file)?.[1]?.replace('\\', '/') ?? ''

export function classNames(clients: readonly Client[] = []): ClassNames | undefined {
  const names: Record<string, string[]> = {}
  for (const { packages, calls, tasks = [], puts = [] } of clients)
    for (const name of packages)
      names[name] = [...new Set([...(names[name] ?? []), ...[...calls, ...tasks, ...puts].map((one) => one.class)])]
  return clients.length === 0 ? undefined : names
}

/** The line for the end of a module; empty where there is nothing to hand over. */
export function handOver(file: string, source: string, names: ClassNames | undefined): string {
  const own =
    names?.[packageOf(file)]?.filter((name) =>
      new RegExp(`\\bclass ${name}\\b|\\b${name} = class\\b|\\bfunction ${name}\\b`).test(source),
    ) ?? []
  if (own.length === 0) return ''
  return `\n;globalThis[Symbol.for('${CLASSES}')]?.(${JSON.stringify(file)}, [${own.map((name) => `() => ${name}`).join(', ')}])`
}
