/** A program as it is and recorded, on the same input. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll } from 'vitest'
import { NATIVE_VARIABLE, writeConfig } from '../../src/frontends/native/config-file.ts'
import { readResult, type NativeResult } from '../../src/frontends/native/result.ts'
import { runtimeLibrary } from '../../src/frontends/native/toolchain.ts'

const LIMIT_MS = 60_000

export const dir = mkdtempSync(join(tmpdir(), 'heddle-native-packages-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Why tests that need the runtime are skipped; empty when they are not. */
export const noGcc =
  process.platform === 'linux' && spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0
    ? ''
    : ' (skipped: there is no gcc here)'

/** The file of an installed program, without links; undefined if there is none. */
export function installed(name: string): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, name)))
  return path === undefined ? undefined : realpathSync(join(path, name))
}

export interface Both {
  readonly plain: { readonly code: number | null; readonly out: string }
  readonly recorded: { readonly code: number | null; readonly out: string }
  readonly result: NativeResult
  readonly threads: number
}

export function both(program: string, args: readonly string[], input: Uint8Array = new Uint8Array()): Both {
  const folder = writeConfig(dir, { mode: 'record', poison: false, program })
  const run = (env: NodeJS.ProcessEnv): { code: number | null; out: string } => {
    const { status, stdout } = spawnSync(program, args, { env: { ...process.env, ...env }, input, timeout: LIMIT_MS, maxBuffer: 1 << 26 })
    return { code: status, out: stdout.toString('base64') }
  }
  const plain = run({})
  const recorded = run({ LD_PRELOAD: runtimeLibrary(), [NATIVE_VARIABLE]: folder })
  return { plain, recorded, result: readResult(folder), threads: readdirSync(join(folder, 'threads')).length }
}
