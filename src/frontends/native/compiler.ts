/** Which compiler builds the runtime and is behind `heddle cc`: the one the user names, else the first one found. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { compilerNotFound, noCompiler } from './errors.ts'

export type Language = 'C' | 'C++'

const NAMES: Readonly<Record<Language, readonly string[]>> = { C: ['gcc', 'cc', 'clang'], 'C++': ['g++', 'c++', 'clang++'] }
const VARIABLES: Readonly<Record<Language, string>> = { C: 'HEDDLE_CC', 'C++': 'HEDDLE_CXX' }

export interface Compiler {
  readonly path: string
  /** Changes when another version is installed under the same name. Starting a compiler to ask for its version takes longer than this. */
  readonly identity: string
}

/** Undefined where there is none; a name of the user's that leads nowhere is an error. */
export function findCompiler(language: Language): Compiler | undefined {
  const variable = VARIABLES[language]
  const named = process.env[variable]
  if (named !== undefined && named !== '') {
    const path = onPath(named)
    if (path === undefined) throw compilerNotFound(variable, named)
    return { path, identity: identityOf(path) }
  }
  for (const name of NAMES[language]) {
    const path = onPath(name)
    if (path !== undefined) return { path, identity: identityOf(path) }
  }
  return undefined
}

export function compilerFor(language: Language): Compiler {
  const found = findCompiler(language)
  if (found === undefined) throw noCompiler(language)
  return found
}

/** Clang takes other options. Its name may be anything, so it is asked. */
export function isClang(path: string): boolean {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return /clang/i.test(stdout ?? '')
}

/** The file that a shell would start. */
export function onPath(name: string): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : (process.env['PATH'] ?? '')
        .split(delimiter)
        .filter(Boolean)
        .map((at) => join(at, name))
  return candidates.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function identityOf(path: string): string {
  const real = realpathSync(path)
  const { size, mtimeMs } = statSync(real)
  return `${path} ${real} ${size} ${mtimeMs}`
}
