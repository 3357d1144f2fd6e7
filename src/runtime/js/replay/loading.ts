/**
 * Is Node's loader loading modules for an import()? The continuation is not posted yet, and nothing else shows that it will come. So no time passes
 * while the loader works, however long a busy machine or a large package takes.
 */
import * as core from '../core.ts'
import { insideLoader } from '../stack.ts'
import { activeResources, realNow } from './real.ts'

/** A thread that has not answered for so long has hooks that wait for something. */
const HOPELESS_MS = 30_000

let ports = false
/** Questions to the thread of the loader that were asked, and those that were answered. */
let asked = 0
let answered = 0
let lastNews = 0

/** A channel of the program was made. */
export function portPosted(): void {
  ports ||= !insideLoader()
}

/** Has the program channels of its own? */
export const hasPorts = (): boolean => ports

/** Node opens a channel for every question to the thread of its loader, and closes the port that it keeps when it has the answer. The other port is sent away and not closed here. */
export function watchLoader(): void {
  core.onLoaderPort((port) => {
    // Both ports of a channel are told of.
    asked += 0.5
    lastNews = realNow()
    const { close } = port as { close(...args: unknown[]): unknown }
    Object.defineProperty(port, 'close', {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        answered++
        lastNews = realNow()
        return close.apply(this, args)
      },
    })
  })
}

/** A port that is not the program's is the loader's. */
export function isLoading(): boolean {
  if (asked > answered) return realNow() - lastNews < HOPELESS_MS
  return !ports && activeResources().includes('MessagePort')
}
