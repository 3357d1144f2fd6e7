/** A small project in a folder of its own that has Vitest and Heddle, as a user has them, and ways to run it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Ran {
  readonly code: number | null
  /** Both streams, without colours. */
  readonly output: string
}

export class VitestProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-vitest-')))
  #running: ChildProcess | undefined

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(this.folder, 'node_modules/vitest'))
    symlinkSync(ROOT, join(this.folder, 'node_modules/heddle'))
    this.write({ 'package.json': '{ "type": "module", "private": true }', ...files })
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true })
      writeFileSync(join(this.folder, name), text)
    }
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8')
  }

  /** Starts Vitest; `until` may end it, when the output is what it waits for. */
  async vitest(args: readonly string[], env: Readonly<Record<string, string>> = {}, until?: (output: string) => boolean): Promise<Ran> {
    const { HEDDLE_RUN: _, NODE_OPTIONS: __, ...outer } = process.env
    const clean = Object.entries(outer).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$|SSR$|CI$|GITHUB_ACTIONS$)/.test(name))
    const child = (this.#running = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: this.folder,
      env: { ...Object.fromEntries(clean), NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }))
    let output = ''
    const hear = (piece: Buffer): void => {
      output += piece.toString()
      if (until?.(output)) child.kill()
    }
    child.stdout!.on('data', hear)
    child.stderr!.on('data', hear)
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, output }
  }

  remove(): void {
    this.#running?.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export const CONFIG = `
  import heddle from 'heddle/vitest'
  import { defineConfig } from 'vitest/config'
  export default defineConfig({ plugins: [heddle({ time: 60, replays: 8, confirm: 1 })] })
`

/** The end of a run, without what differs from run to run. */
export const lastWords = (output: string): string => output.slice(output.lastIndexOf('Heddle: ')).split('\n')[0]!
