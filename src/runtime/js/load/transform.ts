/** Instruments one module, or says why not. Runs in the program's thread and, on Node 20, in the loader's. */
import { instrument, type Instrumented, type Skipped } from '../../../instrument/instrument.ts'
import { instrumentPaths } from '../../../instrument/paths/instrument.ts'
import { mentions, type CallNames } from '../../../instrument/watched.ts'
import type { RunConfig } from '../protocol.ts'
import { Chooser } from './choose.ts'
import type { Texts } from './original-text.ts'

/** What became of a module. */
export interface Loaded {
  readonly file: string
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
}

export class Transformer {
  private readonly chooser: Chooser
  constructor(
    private readonly config: LoadConfig,
    private readonly tell: (loaded: Loaded) => void,
  ) {
    this.chooser = new Chooser(config)
  }

  /** The code to run in its place; undefined to leave it alone. */
  transform(file: string, source: string, kind: 'module' | 'commonjs'): string | undefined {
    const choice = this.chooser.choose(file, source)
    if (choice === 'ours') return undefined
    const more = source.includes('//# sourceMappingURL=data:') ? { source } : {}
    if (choice !== 'instrument') {
      this.tell({ file, why: choice.why, ...more })
      return undefined
    }
    const { detail, timers, accesses, calls, paths = false } = this.config
    const stubs = timers === 'latency'
    const hasCalls = calls !== undefined && mentions(source, calls)
    if (!paths && accesses === false && !hasCalls && !(stubs && source.includes('async'))) return undefined
    const rewrite = paths ? instrumentPaths : instrument
    const result = this.attempt(() => rewrite(source, { file, kind, stubs, detail: detail && accesses === true, accesses, calls }))
    if ('skipped' in result) {
      this.tell({ file, why: result.skipped, ...more })
      return undefined
    }
    const { code } = result
    this.tell({ file, ...more, texts: { source, code, kind, column: (line, column) => result.column(line, column) } })
    return result.code
  }

  private attempt(action: () => Instrumented | Skipped): Instrumented | Skipped {
    try {
      return action()
    } catch (error) {
      return { skipped: `cannot be instrumented: ${(error as Error).message}` }
    }
  }
}
