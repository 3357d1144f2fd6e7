/**
 * Is Node's loader loading modules for an import()? The continuation is not posted yet, and nothing else shows that it will come. So no time passes
 * while the loader works, however long a busy machine or a large package takes.
 */
import * as core from '../core.ts'
import { openGate, shutGate } from '../load/gate.ts'
import { insideLoader } from '../stack.ts'
import { activeResources, realNow } from './real.ts'

/** A thread that has not answered for so long has hooks that wait for something. */
const HOPELESS_MS = 30_000

let ports = false
/** Questions to the thread of the loader that were asked, those that were answered, and those whose modules have to wait for a later turn. */
let asked = 0
let answered = 0
let kept = 0
let lastNews = 0

/** A channel of the program was made. */
export function portPosted(): void {
  ports ||= !insideLoader()
}

/** Has the program channels of its own? */
export const hasPorts = (): boolean => ports

/** `keep`: asked when a question is, true if it is to be answered later: when `give` is called. */
export function watchLoader(keep: (give: () => void) => boolean): void {
  core.onLoader({
    asked() {
      asked++
      lastNews = realNow()
      if (!keep(give)) return
      kept++
      shutGate()
    },
    answered() {
      answered++
      lastNews = realNow()
    },
  })
}

function give(): void {
  lastNews = realNow()
  if (--kept === 0) openGate()
}

/** Has the loader asked for something that it has not got, whether that is kept or not? */
export const isAsked = (): boolean => asked > answered

/** A port that is not the program's is the loader's. */
export function isLoading(): boolean {
  if (asked > answered + kept) return realNow() - lastNews < HOPELESS_MS
  return kept === 0 && !ports && activeResources().includes('MessagePort')
}
