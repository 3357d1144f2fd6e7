/**
 * Instruments what Vite serves to the processes that run tests: those modules never come to Node's loaders. It is the last of all transforms, so
 * it sees JavaScript; sites are looked up in the source maps of the transforms before, so that they are those of the file as it was written.
 */
import { SourceMap } from 'node:module'
import { pathToFileURL } from 'node:url'
import { mentions, type CallNames } from '../../instrument/watched.ts'
import { instrument } from '../../instrument/instrument.ts'
import type { Original } from '../../instrument/sites.ts'
import { callNames } from '../../runtime/js/calls/watches.ts'
import { Chooser } from '../../runtime/js/load/choose.ts'
import type { RunConfig } from '../../runtime/js/protocol.ts'
import type { TransformContext } from './api.ts'

export interface Transformed {
  readonly code: string
  readonly map: {
    readonly version: 3
    readonly sources: readonly string[]
    readonly sourcesContent: readonly string[]
    readonly names: readonly string[]
    readonly mappings: string
  }
}

export class ServedModules {
  readonly #config: RunConfig
  readonly #chooser: Chooser
  readonly #calls: CallNames | undefined

  constructor(config: RunConfig) {
    this.#config = config
    this.#chooser = new Chooser(config)
    this.#calls = callNames(config.watch)
  }

  /** Undefined to leave it as it is. */
  transform(code: string, id: string, maps: Pick<TransformContext, 'getCombinedSourcemap'>): Transformed | undefined {
    const file = fileOf(id)
    if (file === undefined || this.#chooser.choose(file, code) !== 'instrument') return undefined
    const { mode, memory, detail, timers } = this.#config
    const accesses = mode === 'record' || memory === true || 'elements'
    const calls = this.#calls && mentions(code, this.#calls) ? this.#calls : undefined
    const original = originalIn(maps)
    try {
      const result = instrument(code, {
        // As a URL: under its path the runtime knows the source map of the code that Vite makes of this, and its sites are none of that.
        file: pathToFileURL(file).href,
        kind: 'module',
        stubs: timers === 'latency',
        detail: detail && accesses === true,
        accesses,
        calls,
        ...(original && { original }),
      })
      if ('skipped' in result) return undefined
      return {
        code: result.code,
        map: { version: 3, sources: [file], sourcesContent: [code], names: [], mappings: result.mappings() },
      }
    } catch {
      // A module that cannot be instrumented runs as it is.
      return undefined
    }
  }
}

/** Virtual modules and assets are not the program. */
function fileOf(id: string): string | undefined {
  if (id.startsWith('\0') || /[?&](?:url|raw|inline|worker|sharedworker)\b/.test(id)) return undefined
  const file = id.replace(/[?#].*$/, '')
  if (/\.(?:css|scss|sass|less|styl|stylus|pcss|json|html|svg|wasm)$/.test(file)) return undefined
  return file.startsWith('/') || /^[a-z]:[\\/]/i.test(file) ? file : undefined
}

function originalIn(maps: Pick<TransformContext, 'getCombinedSourcemap'>): Original | undefined {
  let map: SourceMap
  try {
    const combined = maps.getCombinedSourcemap()
    if (combined.mappings === '') return undefined
    map = new SourceMap(combined as never)
  } catch {
    return undefined
  }
  return (line, column) => {
    const entry = map.findEntry(line - 1, column - 1) as Partial<{ originalLine: number; originalColumn: number }>
    return entry.originalLine === undefined ? { line, column } : { line: entry.originalLine + 1, column: (entry.originalColumn ?? 0) + 1 }
  }
}
