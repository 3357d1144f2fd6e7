/**
 * Instruments modules as they are loaded: CommonJS where it is compiled, ES modules by loader hooks (in the program's thread where Node has them,
 * Node 22.15 and later; in the loader's thread on Node 20). A module that does not parse is left to Node, so that the user sees Node's message.
 */
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread, MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { HOOKS, RUNTIME, type MakeHooks } from '../../../instrument/hooks.ts'
import { PATHS_RUNTIME, type MakePathHooks } from '../../../instrument/paths/hooks.ts'
import { noteExports } from '../calls/classes.ts'
import { noteBuiltin, noteClasses, takeClasses } from '../clients/index.ts'
import { callNames } from '../calls/watches.ts'
import { unseen } from '../core.ts'
import { IDLE } from '../memory/idle.ts'
import { IDLE_PATHS } from '../paths/idle.ts'
import type { Session } from '../session.ts'
import { control, ownId } from '../threads/control.ts'
import { noteColumns, noteSourceMap } from '../stack.ts'
import { giveOriginalTexts, noteTexts, type Texts } from './original-text.ts'
import { CLASSES, classNames, handOver, type ClassNames, type TakeClasses } from './classes.ts'
import { gate } from './gate.ts'
import type { ThreadStart } from './thread.ts'
import { Transformer, type LoadConfig, type Loaded } from './transform.ts'
import { withoutTypes } from './types.ts'

interface SyncHooks {
  registerHooks?(hooks: {
    load(url: string, context: object, nextLoad: (url: string, context: object) => LoadedSource): LoadedSource
  }): void
}
interface LoadedSource {
  format?: string | null | undefined
  source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined
}

/** What loading needs of a session; a worker has no more than that. */
export type Loading = Pick<Session, 'config' | 'modules' | 'skipped' | 'text' | 'beforeEnd'>

/**
 * Starts instrumenting. `noLoader`: ES modules are not expected, so the thread that instruments them on Node 20 is not started; it takes a while. Without hooks nothing is instrumented: the modules take the same way through the loader, that is all.
 */
export function startLoading(
  session: Loading,
  makeHooks: MakeHooks | undefined,
  accesses: LoadConfig['accesses'],
  noLoader = false,
  makePathHooks?: MakePathHooks,
): Transformer | undefined {
  const tell = (loaded: Loaded): void => {
    if (loaded.why === undefined) {
      session.modules.push(loaded.file)
      const texts = (): Texts | undefined => loaded.texts ?? textsAgain(loaded)
      noteColumns(loaded.file, () => texts()?.column)
      noteTexts(texts)
      session.text.observed += loaded.size
    } else {
      session.skipped.push({ file: loaded.file, why: loaded.why })
      session.text.skipped += loaded.size
    }
    if (loaded.source !== undefined) noteSourceMap(loaded.file, loaded.source)
  }
  const { include, exclude, detail, timers, watch, cache } = session.config
  const calls = isMainThread ? callNames(watch) : undefined
  const config =
    makeHooks === undefined ? undefined : { include, exclude, detail, timers, accesses, calls, cache, paths: makePathHooks !== undefined }
  const transformer = config && new Transformer(config, tell)
  /** The loader's thread keeps its results to itself; the same source gives the same code here. */
  const textsAgain = ({ file, source }: Loaded): Texts | undefined => {
    let texts: Texts | undefined
    const again = config && new Transformer(config, (loaded) => (texts = loaded.texts))
    try {
      unseen(() => again?.transform(file, source ?? readFileSync(file, 'utf8'), 'module'))
    } catch {
      // The file is gone: columns are those of the code that runs.
    }
    return texts
  }
  let hear = (): void => {}
  const { registerHooks } = nodeModule as SyncHooks
  const classes = classNames(session.config.clients)
  if (classes !== undefined) hidden(Symbol.for(CLASSES), takeClasses satisfies TakeClasses)
  if (registerHooks !== undefined) instrumentModules(registerHooks, transformer, classes)
  else if (!noLoader) hear = useLoaderThread(config, classes, tell, session.config.schedule?.kind === 'steps')
  if (transformer !== undefined || classes !== undefined) instrumentCommonJs(transformer, classes)
  session.beforeEnd.push(() => hear())
  if (makeHooks === undefined) return undefined
  giveOriginalTexts()
  const make: MakeHooks = (file, sites) => {
    hear()
    return makeHooks(file, sites)
  }
  hidden(Symbol.for(RUNTIME), make)
  // Functions that are sent elsewhere as text (to a worker, to `new Function`) take their hooks along: there they record nothing.
  hidden(HOOKS, makePathHooks === undefined ? IDLE : IDLE_PATHS)
  if (makePathHooks !== undefined) {
    hidden(`${HOOKS}T`, IDLE_PATHS.T)
    const makePaths: MakePathHooks = (file, sites) => {
      hear()
      return makePathHooks(file, sites)
    }
    hidden(Symbol.for(PATHS_RUNTIME), makePaths)
  }
  return transformer
}

let byNode = true
/** What Node loads from now on is not the program: a test runner that loads the program's modules by itself, and its own from a thousand files. */
export function leaveNodeModulesAlone(): void {
  byNode = false
}

/** A global that nobody finds who does not know it. */
function hidden(name: PropertyKey, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, enumerable: false, configurable: true, writable: true })
}

interface CompilingModule {
  _compile(source: string, file: string, ...rest: unknown[]): unknown
}

function instrumentCommonJs(transformer: Transformer | undefined, classes: ClassNames | undefined): void {
  const prototype = nodeModule.Module.prototype as unknown as CompilingModule
  const { _compile } = prototype
  prototype._compile = function (this: unknown, source, file, ...rest) {
    const kind = rest[0] === 'module' ? 'module' : 'commonjs'
    const code = byNode && typeof source === 'string' ? unseen(() => transformer?.transform(file, source, kind)) : undefined
    const more = byNode && typeof source === 'string' ? handOver(file, source, classes) : ''
    const result = _compile.call(this, more === '' ? (code ?? source) : (code ?? source) + more, file, ...rest)
    const { exports } = this as { exports?: unknown }
    noteExports(file, exports)
    noteClasses(file, exports)
    return result
  }
  if (classes !== undefined) noteAddons()
}

/** Classes of addons: statements of a database that is part of the process. */
function noteAddons(): void {
  const { dlopen } = process as unknown as { dlopen: (...args: unknown[]) => unknown }
  process.dlopen = function (this: unknown, ...args: unknown[]) {
    const result = Reflect.apply(dlopen, this, args) as unknown
    const [module, file] = args as [{ exports?: unknown } | undefined, unknown]
    if (typeof file === 'string') noteClasses(file.replace(/^\\\\\?\\/, ''), module?.exports)
    return result
  } as typeof process.dlopen
}

function instrumentModules(
  registerHooks: NonNullable<SyncHooks['registerHooks']>,
  transformer: Transformer | undefined,
  classes: ClassNames | undefined,
): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!byNode) return loaded
      if (url.startsWith('node:')) noteBuiltin(url)
      const typed = loaded.format === 'module-typescript'
      if ((!typed && loaded.format !== 'module') || !loaded.source || !url.startsWith('file:')) return loaded
      if (transformer === undefined && classes === undefined) return loaded
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
      const source = typed && transformer !== undefined ? unseen(() => withoutTypes(text)) : text
      if (source === undefined) return loaded
      const file = fileURLToPath(url)
      const code = unseen(() => transformer?.transform(file, source, 'module'))
      const more = handOver(file, source, classes)
      if (code === undefined && more === '') return loaded
      return { ...loaded, ...(code === undefined ? {} : { format: 'module' }), source: (code ?? text) + more }
    },
  })
}

/** Returns what to call to hear what became of the modules so far. */
function useLoaderThread(
  config: LoadConfig | undefined,
  classes: ClassNames | undefined,
  tell: (loaded: Loaded) => void,
  bySteps: boolean,
): () => void {
  return unseen(() => {
    const { port1, port2 } = new MessageChannel()
    // Nobody listens on our end: messages are taken out when they are needed, and the program's loop does not see them.
    nodeModule.register('./thread.js', {
      parentURL: import.meta.url,
      data: {
        config,
        classes,
        port: port2,
        parser: import.meta.resolve('acorn'),
        gate,
        loadsFor: bySteps ? { control: control.buffer as SharedArrayBuffer, task: ownId } : undefined,
      } satisfies ThreadStart,
      transferList: [port2],
    })
    return () => {
      for (let got = receiveMessageOnPort(port1); got !== undefined; got = receiveMessageOnPort(port1)) tell(got.message as Loaded)
    }
  })
}
