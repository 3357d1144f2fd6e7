/** Instruments in the loader's thread. The result for each module is posted back. */
import { fileURLToPath } from 'node:url'
import { RUNTIME } from '../../../instrument/hooks.ts'
import { PATHS_RUNTIME } from '../../../instrument/paths/hooks.ts'
import { idleHooks } from '../memory/idle.ts'
import { IDLE_PATHS } from '../paths/idle.ts'
import type { ThreadStart } from './thread.ts'
import { Transformer } from './transform.ts'

export function transformIn({ config, port }: ThreadStart): (url: string, source: string) => string | undefined {
  // Loaders that come after this one run in this thread, instrumented like any module.
  Object.defineProperty(globalThis, Symbol.for(RUNTIME), { value: idleHooks, configurable: true })
  Object.defineProperty(globalThis, Symbol.for(PATHS_RUNTIME), { value: () => IDLE_PATHS, configurable: true })
  const transformer = new Transformer(config!, ({ file, size, why, source }) => port.postMessage({ file, size, why, source }))
  return (url, source) => transformer.transform(fileURLToPath(url), source, 'module')
}
