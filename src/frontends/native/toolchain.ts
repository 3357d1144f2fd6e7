/**
 * Builds the native runtime on first use, from the sources that ship in runtime/native, with the compiler found here. Everything that affects the
 * result is in the name of the folder, so it is never out of date. It is built under another name and renamed, so it is complete, and two builds at
 * once do no harm.
 *
 * The library has the soname of gcc's thread sanitizer: preloaded, it replaces that one in programs that were linked with it.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { cacheFolder, lastingFolder, removeOld, use, usualFolder } from './cache.ts'
import { compilerFor, findCompiler, type Language } from './compiler.ts'
import { nativeSourcesMissing, noPrivateFolder, notOnLinux, runtimeNotBuilt } from './errors.ts'
import { words } from './shell-words.ts'
import { wrapperName, writeWrapper } from './wrapper.ts'

const SOURCES = fileURLToPath(new URL('../../../runtime/native', import.meta.url))
const LIBRARY = 'libtsan.so.2'
const FLAGS = [
  '-O2',
  '-g',
  '-std=gnu11',
  '-fPIC',
  '-pthread',
  '-fvisibility=hidden',
  '-fno-omit-frame-pointer',
  // Our own malloc and memcpy must not be turned into calls of themselves.
  '-fno-builtin',
  '-fno-strict-aliasing',
]
const LINK = [`-Wl,-soname,${LIBRARY}`, '-Wl,-z,defs', '-ldl']
const LIMIT_MS = 120_000
const MOST_WORDS = 600

/** The path of the runtime, built if need be. */
export const runtimeLibrary = (): string => join(toolchain(), LIBRARY)

/** The compiler wrapper for a language: a program that can be given wherever the path of a compiler is wanted. */
export function wrapper(language: Language): string {
  // Programs that it links look there for the runtime whenever they run.
  if (lastingFolder() === undefined) throw noPrivateFolder(usualFolder() ?? 'the home folder')
  return join(toolchain(), wrapperName(language))
}

/** The path of the runtime if it has been built: whoever has compiled a program for Heddle has it. Nothing is built. */
export function builtRuntime(): string | undefined {
  try {
    if (process.platform !== 'linux' || readdirSync(cacheFolder()).length === 0) return undefined
    const library = join(located().folder, LIBRARY)
    return existsSync(library) ? library : undefined
  } catch {
    return undefined
  }
}

/** What a toolchain is made of, and the folder that is made for just that. */
function located() {
  const sources = readSources()
  const builder = compilerFor('C')
  const cxx = findCompiler('C++')
  const name = fingerprintOf([
    ...[...sources].flatMap(([file, text]) => [file, text]),
    builder.identity,
    cxx?.identity ?? '',
    ...FLAGS,
    ...LINK,
  ])
  const parent = cacheFolder()
  return { sources, builder, cxx, parent, folder: join(parent, name) }
}

/** The folder with the runtime and the compiler wrappers. */
function toolchain(): string {
  if (process.platform !== 'linux') throw notOnLinux(process.platform)
  const { sources, builder, cxx, parent, folder } = located()
  const mark = wrapperName('C')
  use(join(folder, mark))
  if (existsSync(join(folder, LIBRARY))) return folder
  removeOld(parent, mark)
  const beside = mkdtempSync(join(parent, 'building-'))
  try {
    build(beside, folder, sources, builder.path)
    writeWrapper(beside, { folder, sources, language: 'C', compiler: builder.path })
    writeWrapper(beside, { folder, sources, language: 'C++', compiler: cxx?.path ?? '' })
    put(beside, folder)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
  return folder
}

function readSources(): ReadonlyMap<string, string> {
  let files: string[]
  try {
    files = readdirSync(SOURCES).filter((file) => /\.(c|h|sh)$/.test(file))
  } catch {
    throw nativeSourcesMissing(SOURCES)
  }
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(SOURCES, file), 'utf8')]))
}

/** From a copy of what was read: nothing can change in between, and debuggers find the sources later. All files at once: it takes seconds. */
function build(beside: string, folder: string, sources: ReadonlyMap<string, string>, compiler: string): void {
  mkdirSync(join(beside, 'source'))
  for (const [file, text] of sources) writeFileSync(join(beside, 'source', file), text)
  const files = [...sources.keys()].filter((file) => file.endsWith('.c')).map((file) => file.slice(0, -2))
  const flags = [...FLAGS, `-fdebug-prefix-map=${beside}=${folder}`]
  const { LD_PRELOAD: _, ...env } = process.env
  const inShell = (script: string): string => {
    const { status, stderr, error } = spawnSync('/bin/sh', ['-c', script], {
      cwd: beside,
      env: { ...env, LC_ALL: 'C' },
      encoding: 'utf8',
      timeout: LIMIT_MS,
    })
    if (error) throw runtimeNotBuilt(compiler, error.message)
    return status === 0 ? '' : stderr || `it ended with ${status}`
  }
  const compiling = files.map(
    (file) => `${words([compiler, ...flags, '-c', `source/${file}.c`, '-o', `${file}.o`])} || echo failed >failed &`,
  )
  const complaint = inShell(`${compiling.join('\n')}\nwait\n[ ! -e failed ]`)
  if (complaint !== '') throw runtimeNotBuilt(compiler, firstWords(complaint))
  const objects = files.map((file) => `${file}.o`)
  const linking = inShell(words([compiler, ...flags, '-shared', '-o', LIBRARY, ...objects, ...LINK]))
  if (linking !== '') throw runtimeNotBuilt(compiler, firstWords(linking))
  for (const file of objects) rmSync(join(beside, file))
  symlinkSync(LIBRARY, join(beside, 'libtsan.so'))
}

/** What a compiler complains of first. */
function firstWords(text: string): string {
  const lines = text.split('\n').filter((line) => /error|undefined|cannot|No such/i.test(line))
  const all = (lines.length > 0 ? lines : text.split('\n')).slice(0, 3).join(' / ')
  // oxlint-disable-next-line no-control-regex
  return all.replaceAll(/[\x00-\x1f\x7f]/g, ' ').slice(0, MOST_WORDS)
}

/** A folder that is there already was made by somebody who was quicker, and is the same. */
function put(beside: string, folder: string): void {
  try {
    chmodSync(beside, 0o755)
    renameSync(beside, folder)
  } catch (error) {
    if (existsSync(join(folder, LIBRARY))) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    // Something was there that is not ours.
    rmSync(folder, { recursive: true, force: true })
    renameSync(beside, folder)
  }
}
