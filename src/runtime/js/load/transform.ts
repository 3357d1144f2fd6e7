/** Instruments one module, or says why not. Runs in the program's thread and, on Node 20, in the loader's. */
import { instrument, type Instrumented, type Skipped, type WithMap } from '../../../instrument/instrument.ts'
import { instrumentPaths } from '../../../instrument/paths/instrument.ts'
import { mentions, type CallNames } from '../../../instrument/watched.ts'
import type { RunConfig } from '../protocol.ts'
import { lineStartsOf } from '../../../instrument/sites.ts'
import { Spans } from '../../../instrument/spans.ts'
import { Chooser } from './choose.ts'
import { ModuleCache, type CacheConfig, type CachedModule } from './module-cache.ts'
import type { Texts } from './original-text.ts'

/** What became of a module. */
export interface Loaded {
  readonly file: string
  /** How long its text is. */
  readonly size: number
  /** Absent when it was instrumented. */
  readonly why?: string
  /** The source as it was, where it carries a source map. */
  readonly source?: string
  /** Not there when it was another thread that instrumented. */
  readonly texts?: Texts
}

export interface LoadConfig extends Pick<RunConfig, 'include' | 'exclude' | 'detail' | 'timers'> {
  readonly accesses: boolean | 'elements'
  /** Branches are recorded: docs/branches.md. */
  readonly paths?: boolean
  readonly calls?: CallNames | undefined
  readonly cache?: CacheConfig | undefined
}

export class Transformer {
  private readonly chooser: Chooser
  private readonly cache: ModuleCache | undefined
  constructor(
    private readonly config: LoadConfig,
    private readonly tell: (loaded: Loaded) => void,
  ) {
    this.chooser = new Chooser(config)
    const { cache, detail, timers, accesses, calls, paths } = config
    if (cache !== undefined && !paths) this.cache = new ModuleCache(cache, { detail, timers, accesses, calls })
  }

  /** The code to run in its place; undefined to leave it alone. */
  transform(file: string, source: string, kind: 'module' | 'commonjs'): string | undefined {
    const choice = this.chooser.choose(file, source)
    if (choice === 'ours') return undefined
    const more = { size: source.length, ...(source.includes('//# sourceMappingURL=data:') ? { source } : {}) }
    if (choice !== 'instrument') {
      this.tell({ file, why: choice.why, ...more })
      return undefined
    }
    const { detail, timers, accesses, calls, paths = false } = this.config
    const stubs = timers === 'latency'
    if (!paths && accesses === false && !(stubs && source.includes('async')) && !(calls !== undefined && mentions(source, calls)))
      return undefined
    const key = this.cache?.key(file, kind, source)
    const cached = this.cache?.get(key)
    if (cached !== undefined) {
      this.tell({ file, ...more, texts: { source, code: cached.code, kind, column: columnsOf(cached, source) } })
      return cached.code
    }
    const options = { file, kind, stubs, detail: detail && accesses === true, accesses, calls }
    const result = this.attempt<Instrumented | WithMap>(() => (paths ? instrumentPaths : instrument)(source, options))
    if ('skipped' in result) {
      this.tell({ file, why: result.skipped, ...more })
      return undefined
    }
    const { code } = result
    if ('spans' in result) this.cache?.put(key, { code, spans: result.spans() })
    this.tell({ file, ...more, texts: { source, code, kind, column: (line, column) => result.column(line, column) } })
    return code
  }

  private attempt<T>(action: () => T | Skipped): T | Skipped {
    try {
      return action()
    } catch (error) {
      return { skipped: `cannot be instrumented: ${(error as Error).message}` }
    }
  }
}

/** As for one that was instrumented just now. */
function columnsOf({ code, spans }: CachedModule, source: string): Texts['column'] {
  let known: { readonly spans: Spans; readonly lineStarts: readonly number[] } | undefined
  return (line, column) => {
    if (code === source) return column
    known ??= { spans: Spans.decode(spans, source.length), lineStarts: lineStartsOf(source) }
    return known.spans.column(known.lineStarts, line, column)
  }
}
