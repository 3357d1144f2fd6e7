/**
 * Where in the loop the main script runs. Without a preloaded module a CommonJS script runs before the loop, whose first phase is timers: a
 * timer that is due when the script has ended comes before everything else, and close callbacks come last. With Heddle preloaded the loop
 * runs already, so the script is made to run at the end of its round, among the close callbacks. (ES modules are read by the loop anyway.)
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as core from '../core.ts'
import { engine } from '../engine.ts'
import { soon } from './real.ts'

const { readFileSync } = fs

interface Handle {
  close(callback: () => void): void
}

/** Resolves in the phase of close callbacks, after which timers come. */
export function beforeTimers(): Promise<void> {
  return new Promise((go) => {
    const tcp = engine('tcp_wrap') as { TCP?: new (kind: number) => Handle } | undefined
    if (tcp?.TCP === undefined) soon(go)
    else core.unseen(() => new tcp.TCP!(0).close(go))
  })
}

/** The loader reads the main script to see which kind it is; what it reads is given to it there. */
export function placeMain(): void {
  const script = process.argv[1]
  if (script === undefined || !isCommonJs(script)) return
  const url = pathToFileURL(resolve(script)).href
  const before = fs.promises.readFile
  const readFile = function (this: unknown, path: unknown, ...more: unknown[]): unknown {
    const isMain = core.turn === 0 && String(path) === url && /node:internal\/modules\/esm/.test(new Error().stack ?? '')
    if (!isMain) return Reflect.apply(before, this, [path, ...more])
    if (fs.promises.readFile === (readFile as unknown)) {
      fs.promises.readFile = before
      syncBuiltinESMExports()
    }
    return beforeTimers().then(() => core.unseen(() => readFileSync(fileURLToPath(url), ...(more as []))))
  }
  fs.promises.readFile = readFile as typeof before
}

function isCommonJs(script: string): boolean {
  try {
    if (script.endsWith('.cjs')) return true
    if (!script.endsWith('.js')) return false
    for (let at = dirname(resolve(script)); ; at = dirname(at)) {
      try {
        const { type } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { type?: string }
        if (type !== undefined) return type === 'commonjs'
        break
      } catch {
        if (at === dirname(at)) break
      }
    }
    return !/^\s*(import|export)\b/m.test(readFileSync(script, 'utf8'))
  } catch {
    return false
  }
}
