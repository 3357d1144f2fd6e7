/** The command line and environment of a native program with the runtime in it. */
import { symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Start } from '../../process/recorded.ts'
import { tempFolder } from '../../process/temp-folder.ts'
import type { NativeBinary } from './binary.ts'
import { NATIVE_VARIABLE, writeConfig, type NativeConfig } from './config-file.ts'
import { libraryCode } from './library-code.ts'
import { runtimeLibrary } from './toolchain.ts'

export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly notes: readonly string[]
}

/** The loader takes spaces and colons in LD_PRELOAD for the end of a name: a library in such a folder is reached by a link. */
function preloadable(library: string): string {
  if (!/[\s:]/.test(library)) return library
  const link = join(tempFolder('runtime').path, basename(library))
  symlinkSync(library, link)
  return link
}

/** The runtime as the loader takes it. */
export function preloaded(library: string): string {
  if (linked?.library !== library) linked = { library, path: preloadable(library) }
  return linked.path
}

let linked: { readonly library: string; readonly path: string } | undefined

/** `run`: the folder of the run. The runtime is preloaded, in front of what the user preloads. */
export function startOf(launch: Launch, binary: NativeBinary, config: Omit<NativeConfig, 'program'>, run: string, cwd: string): Start {
  const folder = writeConfig(run, { ...config, program: binary.path, library: libraryCode(binary.path) })
  const preload = [preloaded(runtimeLibrary()), process.env['LD_PRELOAD']].filter(Boolean).join(':')
  return {
    file: launch.file,
    args: launch.args,
    env: { ...process.env, ...launch.env, LD_PRELOAD: preload, [NATIVE_VARIABLE]: folder },
    cwd: launch.cwd ?? cwd,
  }
}
