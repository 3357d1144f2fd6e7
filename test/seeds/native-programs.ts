/** C programs of the tests: compiled by our wrapper, and recorded. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readNativeRun, type NativeRun } from '../../src/frontends/native/read-run.ts'
import { nativeBinary } from '../../src/frontends/native/binary.ts'
import { nativeFolder } from '../../src/frontends/native/config-file.ts'
import { startOf } from '../../src/frontends/native/start.ts'
import { wrapper } from '../../src/frontends/native/toolchain.ts'

/** Why there are no native programs here; empty where there are. */
export const noNative: string =
  process.platform !== 'linux' ? '(not on Linux)' : spawnSync('gcc', ['--version']).error ? '(no gcc here)' : ''

/** A folder for programs and runs, removed when the tests are done. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'heddle-native-'))
  private runs = 0

  build(source: string, name = basename(source, '.c'), flags: readonly string[] = []): string {
    const program = join(this.folder, name)
    execFileSync(wrapper('C'), ['-g', '-pthread', ...flags, '-o', program, source], { stdio: 'pipe' })
    return program
  }

  /** One run of a program that ends well. */
  async record(program: string, root: string): Promise<NativeRun> {
    const run = join(this.folder, `run${this.runs++}`)
    mkdirSync(run)
    const { file, args, env, cwd } = startOf(
      { file: program, args: [], env: {}, notes: [] },
      nativeBinary(program, program)!,
      { mode: 'record', poison: false },
      run,
      this.folder,
    )
    const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
    const end = await new Promise<string>((resolve) => child.on('close', (code, signal) => resolve(signal ?? String(code))))
    if (end !== '0') throw new Error(`${basename(program)} ended with ${end}: ${said}`)
    return readNativeRun(nativeFolder(run), { root })
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
