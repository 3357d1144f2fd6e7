/** What the calls of the library have in common: the folder, cancellation, progress, and the options of the command line. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { COMMANDS } from '../options/table.ts'
import { Arguments, type Given } from '../options/parse.ts'
import { declarationsOf } from '../property/choose.ts'
import { givenBy } from '../options/values.ts'
import { HeddleError, quote } from '../errors.ts'
import type { OnProgress } from '../progress.ts'
import type { Declaration } from '../property/ast.ts'

export interface CallOptions {
  /** The folder to work in; left out, that of the process. `.heddle` is there, and files and sites are relative to it. */
  cwd?: string | undefined
  /** Stops it. The promise is rejected with the reason of the signal once no process of it is left. */
  signal?: AbortSignal | undefined
}

export interface ProgramOptions extends CallOptions {
  /** A configuration file, or `none` to read no file. Left out, it is looked for as the command line does. */
  config?: string | undefined
  /** Where the output of the program goes while it is recorded: nowhere, to where ours goes, or all of it to standard error. */
  output?: 'ignore' | 'inherit' | 'stderr' | undefined
  /** Properties and typestates made in code, in addition to `property`. */
  properties?: readonly Declaration[] | undefined
  onProgress?: OnProgress | undefined
}

/** Options that only say what a command prints, and how it ends. `config` is not looked at in the table. */
const PRINTING = ['json', 'verbose', 'limit', 'fail-on', 'annotations', 'config']

interface Source {
  /** The name of the call, as errors have it; left out, that of the command. */
  readonly call?: string
  /** The options of the command that the call has; left out, all of them. */
  readonly only?: readonly string[]
  /** From a configuration file. */
  readonly otherwise?: Given
}

/** Options that were not given have the defaults of the table. */
export function argumentsOf(
  command: string,
  values: object,
  cwd: string,
  { call = command, only, otherwise = new Map() }: Source = {},
): Arguments {
  const row = COMMANDS.find((c) => c.name === command)!
  const rows = row.options.filter(({ name }) => (only ? only.includes(name) : !PRINTING.includes(name)))
  const given = givenBy(values as Readonly<Record<string, unknown>>, rows, { name: `${call}()`, folder: cwd })
  return new Arguments(row, new Map(), given, [], otherwise)
}

export function folderOf(cwd: string | undefined): string {
  const folder = resolve(cwd ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new HeddleError('no-such-folder', `There is no folder ${quote(folder)}`, 'Check cwd')
  return folder
}

export function wanted(args: Arguments, made: readonly Declaration[] = [], library = args.word('library') === 'on') {
  const { properties, asked } = declarationsOf(args.list('property'), library)
  const byName = new Map([...properties, ...made].map((declaration) => [declaration.name, declaration]))
  return { properties: [...byName.values()], asked: new Set([...asked, ...made.map((declaration) => declaration.name)]) }
}

/** For those who give no signal. */
export const never = (): AbortSignal => new AbortController().signal

/** Whatever an aborted call ends with, its caller gets the reason he gave. */
export async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let result: T
  try {
    result = await call()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
  signal.throwIfAborted()
  return result
}
