/** Runs the programs of this folder under the runtime, and says what became of them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll } from 'vitest'
import { type NativeConfig, writeConfig } from '../../src/frontends/native/config-file.ts'
import { type NativeResult, readResult } from '../../src/frontends/native/result.ts'
import { runtimeLibrary, wrapper } from '../../src/frontends/native/toolchain.ts'

const has = (compiler: string): boolean =>
  process.platform === 'linux' && spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0
/** Why the tests are skipped; empty where they are not. */
export const skipped = has('gcc') && has('g++') ? '' : ' (skipped: there is no gcc and g++ here)'

const dir = mkdtempSync(join(tmpdir(), 'heddle-native-runtime-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Compiles one of the programs; its path. Warnings are off: the programs are wrong on purpose. */
export function compiled(name: string, ...flags: string[]): string {
  const out = join(dir, `${basename(name)}${flags.join('')}`)
  const source = join(import.meta.dirname, 'programs', name)
  const [compiler, standard] = name.endsWith('.cc') ? [wrapper('C++'), '-std=c++17'] : [wrapper('C'), '-std=gnu11']
  const { status, stderr } = spawnSync(compiler, ['-w', standard, ...flags, source, '-o', out, '-pthread'], {
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (status !== 0) throw new Error(stderr)
  return out
}

export interface Ran {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly result: NativeResult
  /** Names of threads that left a file. */
  readonly threads: readonly string[]
  /** How many records of each kind main has written. */
  readonly kinds: ReadonlyMap<number, number>
}

export function under(
  program: string,
  args: readonly string[],
  options: Partial<NativeConfig> & { readonly input?: string; readonly timeoutMs?: number } = {},
): Ran {
  const { input = '', timeoutMs = 30_000, ...config } = options
  const folder = writeConfig(dir, { mode: 'record', poison: false, program, ...config })
  const { status, signal, stdout } = spawnSync(program, args, {
    env: { ...process.env, HEDDLE_NATIVE: folder, LD_PRELOAD: runtimeLibrary() },
    encoding: 'utf8',
    timeout: timeoutMs,
    input,
  })
  const threads = readdirSync(join(folder, 'threads')).toSorted()
  const kinds = new Map<number, number>()
  const records = threads.includes('main.raw') ? readFileSync(join(folder, 'threads', 'main.raw')) : Buffer.alloc(0)
  for (let at = 64; at + 32 <= records.length && records.readBigUInt64LE(at) !== 0n; at += 32) {
    kinds.set(records[at]!, (kinds.get(records[at]!) ?? 0) + 1)
  }
  return { code: status, signal, out: stdout, result: readResult(folder), threads, kinds }
}
