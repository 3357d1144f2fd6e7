/**
 * Loader hooks for Node 20, which runs them in a separate thread. The program waits for this file at its start, so it is small: the instrumenter is
 * loaded with the first module that needs it (thread-transform.ts).
 */
import type { LoadHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { handOver, type ClassNames } from './classes.ts'
import { startLooks, underWay, type LoadsFor } from '../threads/loader-looks.ts'
import { passGate } from './gate.ts'
import type { LoadConfig } from './transform.ts'

export interface ThreadStart {
  readonly config: LoadConfig | undefined
  readonly classes: ClassNames | undefined
  readonly port: MessagePort
  /** Its address. */
  readonly parser: string
  /** Passed with every module. */
  readonly gate: Int32Array
  /** Replays of threads. */
  readonly loadsFor: LoadsFor | undefined
}

type Transform = (url: string, source: string) => string | undefined

const OURS = new URL('../../../', import.meta.url).href
/** Until what instruments is there, the parser that it asks for is left alone. */
let ready = false
let start: ThreadStart
let transform: Promise<Transform> | undefined

export function initialize(given: ThreadStart): void {
  start = given
  if (given.loadsFor) startLooks(given.loadsFor)
}

export const load: LoadHook = async (url, context, nextLoad) => {
  underWay(1)
  try {
    const loaded = await instrumented(url, context, nextLoad)
    await passGate(start.gate)
    return loaded
  } finally {
    underWay(-1)
  }
}

const instrumented: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (
    (start.config === undefined && start.classes === undefined) ||
    loaded.format !== 'module' ||
    !loaded.source ||
    !url.startsWith('file:') ||
    url.startsWith(OURS) ||
    (url === start.parser && !ready)
  )
    return loaded
  const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
  const more = handOver(fileURLToPath(url), source, start.classes)
  if (start.config === undefined) return more === '' ? loaded : { ...loaded, source: source + more }
  transform ??= import('./thread-transform.ts').then(({ transformIn }) => transformIn(start))
  const into = await transform
  ready = true
  const code = into(url, source)
  return code === undefined && more === '' ? loaded : { ...loaded, source: (code ?? source) + more }
}
