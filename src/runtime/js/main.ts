/**
 * Where in the loop the main script runs. Without a preloaded module a CommonJS script runs before the loop, whose first phase is timers: a timer
 * that is due when the script has ended comes before everything else, and close callbacks come last. With Heddle preloaded the loop is already
 * running, and the script would start from whichever phase the loader continues in. So it is started from here, at the end of a round of the loop,
 * among the close callbacks. When Node comes to it, it is already loaded. ES modules are left to Node, which reads them from the loop anyway.
 */
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, extname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import * as core from './core.ts'
import { engine } from './engine.ts'

interface Handle {
  close(callback: () => void): void
}
const { _load, _resolveFilename } = nodeModule.Module as unknown as {
  _load(path: string, parent: null, isMain: boolean): unknown
  _resolveFilename(path: string, parent: null, isMain: boolean): string
}

/** Call it right after core.start, in the phase of close callbacks. An error of the script is the caller's, as it is the loader's. */
export function runMain(): void {
  const script = core.unseen(commonJsMain)
  if (script !== undefined) core.withoutLoader(() => _load(script, null, true))
}

/** Resolves in the phase of close callbacks, after which timers come. */
export function beforeTimers(): Promise<void> {
  return new Promise((go) => {
    const tcp = engine('tcp_wrap') as { TCP?: new (kind: number) => Handle } | undefined
    if (tcp?.TCP === undefined) setImmediate(go)
    else core.unseen(() => new tcp.TCP!(0).close(go))
  })
}

/** The main script (of a worker: its own), if it is surely CommonJS. Whatever is wrong with it is for Node to find. */
export function commonJsMain(): string | undefined {
  try {
    const script = process.argv[1]
    if (script === undefined || process.execArgv.some((flag) => /^(-e|-p|--eval|--print|-pe|--test|--check|-c)$/.test(flag)))
      return undefined
    const file = _resolveFilename(script, null, true)
    if (extname(file) !== '.cjs' && (extname(file) !== '.js' || typeOfPackage(file) === 'module')) return undefined
    const source = readFileSync(file, 'utf8').replace(/^#!.*/, '')
    compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'])
    return file
  } catch {
    return undefined
  }
}

function typeOfPackage(file: string): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    try {
      return (JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { type?: string }).type
    } catch {
      if (at === dirname(at)) return undefined
    }
  }
}
