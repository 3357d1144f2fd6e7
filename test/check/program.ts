/** Small programs in a folder of their own, run under the built command. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { BIN, type Ran } from '../cli/run.ts'

const TIMEOUT = 900_000

export interface Place {
  readonly dir: string
  heddle(words: readonly string[], options?: { input?: string; stdout?: 'ignore' }): Ran
  /** Starts it and lets the test send signals. */
  start(words: readonly string[]): Started
}

export interface Started {
  readonly pid: number
  /** Resolves when standard output has this text. */
  said(text: string): Promise<void>
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<Ran>
}

export function place(files: Readonly<Record<string, string>>): Place {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-check-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  const env = { ...process.env, NO_COLOR: '', HEDDLE_DEBUG: '', FORCE_COLOR: undefined }
  return {
    dir,
    heddle(words, { input = '', stdout } = {}) {
      const ran = spawnSync(process.execPath, [BIN, ...words], {
        cwd: dir,
        env,
        input,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        timeout: TIMEOUT,
        stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
      })
      return { code: ran.status, out: ran.stdout ?? '', err: ran.stderr }
    },
    start(words) {
      const child = spawn(process.execPath, [BIN, ...words], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT })
      let [out, err] = ['', '']
      let look = (): void => {}
      child.stdout.on('data', (piece: Buffer) => {
        out += piece.toString()
        look()
      })
      child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
      return {
        pid: child.pid!,
        said: (text) =>
          new Promise((resolve) => {
            look = () => void (out.includes(text) && resolve())
            look()
          }),
        signal: (signal) => void child.kill(signal),
        ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err }))),
      }
    },
  }
}

/** One seat, two visitors: what `heddle doctor` plants. Run it in its own folder. */
export { PLANTED as SEATS } from '../../src/frontends/node/doctor.ts'
