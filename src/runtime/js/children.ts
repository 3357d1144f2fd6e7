/**
 * Processes that the program starts with spawn, exec, execFile and fork. If Heddle can observe a process, it gets the necessary environment and a
 * folder of its own. Other processes, and those of the synchronous functions, are started unchanged and noted in the report.
 */
import * as childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { accessSync, closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import { unseen } from './core.ts'
import type { ChildrenConfig } from './protocol.ts'
import { replaceMethod, type AnyFunction } from './resources/stand-in.ts'

interface SpawnOptions {
  readonly file?: unknown
  readonly args?: unknown
  readonly cwd?: unknown
  envPairs?: unknown
  readonly stdio?: unknown
}

const { ChildProcess } = childProcess

/** Larger files are no programs that somebody compiled to look at them. */
const LARGEST = 64 << 20

/** How many of those that are left alone are told by name. */
const MOST_NAMED = 4
const MOST_WORDS = 40

export interface Children {
  /** How many are observed so far. */
  observed(): number
  /** How many the program waited for in a synchronous call. */
  waitedFor(): number
  /** The commands of the first that are not. */
  readonly alone: readonly (readonly string[])[]
  /** Those of them that exchange messages with the program. */
  readonly told: readonly (readonly string[])[]
}

export function watchChildren(config: ChildrenConfig): Children {
  let observed = 0
  let waitedFor = 0
  const alone: string[][] = []
  const told: string[][] = []
  const note = (words: readonly unknown[], channel = false): void => {
    if (alone.length >= MOST_NAMED) return
    const command = words.filter((word) => typeof word === 'string').slice(0, MOST_WORDS)
    alone.push(command)
    if (channel) told.push(command)
  }
  const kinds = new Map<string, ChildrenConfig['kinds'][number] | undefined>()
  const kindOf = (path: string): ChildrenConfig['kinds'][number] | undefined => {
    if (!kinds.has(path)) kinds.set(path, kindOfFile(path, config))
    return kinds.get(path)
  }
  replaceMethod(ChildProcess.prototype, 'spawn', (original: AnyFunction): AnyFunction => {
    return function (this: unknown, options: SpawnOptions, ...more: unknown[]) {
      const kind = unseen(() => {
        const path = pathOf(options)
        return path === undefined || config.kinds.length === 0 ? undefined : kindOf(path)
      })
      if (!kind || !Array.isArray(options.envPairs)) {
        const { args, stdio } = options
        if (Array.isArray(args)) note(args, Array.isArray(stdio) && stdio.includes('ipc'))
        return original.call(this, options, ...more)
      }
      const nth = ++observed
      const folder = join(config.folder, `child-${nth}`)
      unseen(() => {
        makeFolder(folder)
        writeFileSync(join(folder, kind.file.name), nth === config.only ? kind.file.text : kind.file.others)
      })
      const pairs = Object.entries(kind.env).map(([name, value]) => `${name}=${value.replaceAll('FOLDER', folder)}`)
      const names = Object.keys(kind.env).map((name) => `${name}=`)
      const kept = (options.envPairs as string[]).filter((pair) => !names.some((name) => pair.startsWith(name)))
      return original.call(this, { ...options, envPairs: [...kept, ...pairs] }, ...more)
    }
  })
  watchSync((words) => {
    waitedFor++
    note(words)
  })
  return { observed: () => observed, waitedFor: () => waitedFor, alone, told }
}

/** What a call of `spawnSync` and its like starts, as words, where it prints what the user is to see: the others are asked something. */
function watchSync(note: (words: readonly unknown[]) => void): void {
  const module = process.getBuiltinModule?.('child_process') ?? (childProcess as unknown as { default: object }).default
  const noted =
    (isText: boolean) =>
    (original: AnyFunction): AnyFunction =>
      function (this: unknown, ...args: unknown[]) {
        const [file, words] = args
        if (inherits(args.at(-1))) note(isText ? ['sh', '-c', file] : [file, ...(Array.isArray(words) ? (words as unknown[]) : [])])
        return original.apply(this, args)
      }
  replaceMethod(module, 'spawnSync', noted(false))
  replaceMethod(module, 'execFileSync', noted(false))
  replaceMethod(module, 'execSync', noted(true))
  syncBuiltinESMExports()
}

function inherits(options: unknown): boolean {
  const stdio = typeof options === 'object' && options !== null && 'stdio' in options ? options.stdio : undefined
  return stdio === 'inherit' || (Array.isArray(stdio) && (stdio[1] === 'inherit' || stdio[1] === 1))
}

/** The file that is started; undefined where it cannot be told. */
function pathOf({ file, cwd, envPairs }: SpawnOptions): string | undefined {
  if (typeof file !== 'string' || file === '') return undefined
  const from = typeof cwd === 'string' ? cwd : process.cwd()
  if (file.includes('/')) return resolve(from, file)
  const path = (Array.isArray(envPairs) ? (envPairs as string[]) : []).find((pair) => pair.startsWith('PATH='))?.slice('PATH='.length)
  return (path ?? process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => resolve(from, folder, file))
    .find((candidate) => isExecutable(candidate))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function kindOfFile(path: string, { kinds }: ChildrenConfig): ChildrenConfig['kinds'][number] | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(fd)
    if (size > LARGEST) return undefined
    const bytes = Buffer.alloc(size)
    readSync(fd, bytes, 0, size, 0)
    return kinds.find(({ begins, contains }) => bytes.indexOf(begins, 0, 'latin1') === 0 && bytes.indexOf(contains, 0, 'latin1') > 0)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
