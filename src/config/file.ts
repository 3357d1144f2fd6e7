/**
 * Finds and reads the configuration file. It is searched from a folder upwards to the package it is in; without a package only in the folder itself,
 * because a file further up may be somebody else's, and reading it executes it.
 */
import { isRecord } from '../base/objects.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HeddleError } from '../errors.ts'
import { configFailed, configMissing, configName, configNeedsTypes, configNoObject, severalConfigs } from './errors.ts'

const NAMES = ['heddle.config.ts', 'heddle.config.js', 'heddle.config.mjs', 'heddle.config.json']
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json']

/** Undefined when there is none. */
export function findConfig(from: string): string | undefined {
  for (const folder of upToPackage(resolve(from))) {
    const here = NAMES.filter((name) => isFile(join(folder, name)))
    if (here.length > 1) throw severalConfigs(folder, here)
    if (here.length === 1) return join(folder, here[0]!)
  }
  return undefined
}

function upToPackage(from: string): string[] {
  const folders: string[] = []
  for (let at = from; ; at = dirname(at)) {
    folders.push(at)
    if (existsSync(join(at, 'package.json'))) return folders
    if (dirname(at) === at) return [from]
  }
}

/** The object in the file, not yet looked at. */
export async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isFile(path)) throw configMissing(path)
  const ending = extname(path)
  if (!ENDINGS.includes(ending)) throw configName(path)
  const name = basename(path)
  let value: unknown
  try {
    value =
      ending === '.json' ? JSON.parse(readFileSync(path, 'utf8')) : exportOf(await (ending.endsWith('ts') ? typed(path) : plain(path)))
  } catch (error) {
    if (error instanceof HeddleError) throw error
    const { message } = error instanceof Error ? error : new Error(String(error))
    throw configFailed(name, message.split('\n')[0]!)
  }
  if (!isRecord(value)) throw configNoObject(name, kindOf(value))
  return value
}

/** Read anew when it has changed: a runner that watches files asks again. */
const plain = (path: string): Promise<unknown> => import(`${pathToFileURL(path).href}?at=${statSync(path).mtimeMs}`)

/** By Node itself where it strips types, else by the tsx of the project. */
async function typed(path: string): Promise<unknown> {
  if ((process.features as { typescript?: unknown }).typescript) return plain(path)
  let tsx: string
  try {
    tsx = createRequire(path).resolve('tsx/package.json')
  } catch {
    throw configNeedsTypes(basename(path))
  }
  const api = (await import(new URL(moduleOf(tsx), pathToFileURL(tsx)).href)) as {
    tsImport: (file: string, parent: string) => Promise<unknown>
  }
  return api.tsImport(pathToFileURL(path).href, pathToFileURL(path).href)
}

/** Of its programming interface. `require.resolve` gives the CommonJS one, which does not find its own parts. */
function moduleOf(tsx: string): string {
  const { exports } = JSON.parse(readFileSync(tsx, 'utf8')) as { exports: Record<string, { import: { default: string } }> }
  return exports['./esm/api']!.import.default
}

/** TypeScript in a CommonJS package has its default one level deeper. */
function exportOf(module: unknown): unknown {
  const { default: outer } = module as { default?: unknown }
  if (typeof outer !== 'object' || outer === null || !('__esModule' in outer)) return outer
  return (outer as { default?: unknown }).default
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing as its default'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'function' ? 'a function' : JSON.stringify(value)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
