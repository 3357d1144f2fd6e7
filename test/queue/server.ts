/** A NATS server of Debian on a loopback address, and workers and checks that use it, for tests. Everything that was started ends with the test. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Connection } from '../../src/explore/queue/connection.ts'

export const HEDDLE = fileURLToPath(new URL('../../bin/heddle.js', import.meta.url))
/** Why these tests cannot run here; empty if they can. */
export const cannot = spawnSync('nats-server', ['--version']).status === 0 ? '' : '(there is no nats-server)'

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export class Nats {
  private child: ChildProcess | undefined
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-nats-'))

  private constructor(
    readonly port: number,
    private readonly host: string,
    private readonly more: readonly string[],
    private readonly through: readonly string[],
  ) {}

  /** `through`: a command that starts it elsewhere, as in a network namespace. */
  static async start(more: readonly string[] = ['-js'], host = '127.0.0.1', through: readonly string[] = []): Promise<Nats> {
    const nats = new Nats(await freePort(), host, more, through)
    await nats.begin()
    return nats
  }

  get url(): string {
    return `nats://${this.host}:${this.port}`
  }

  async begin(): Promise<void> {
    const words = [...this.through, 'nats-server', '-a', this.host, '-p', String(this.port), '-sd', this.folder, ...this.more]
    const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
    this.child = child
    let said = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr!.on('data', (piece: Buffer) => {
        said += piece.toString()
        if (said.includes('Server is ready')) resolve()
      })
      child.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${said}`)))
    })
    child.removeAllListeners('exit')
  }

  /** As a power cut does. */
  async kill(): Promise<void> {
    const child = this.child!
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async end(): Promise<void> {
    await this.kill().catch(() => undefined)
    rmSync(this.folder, { recursive: true, force: true })
  }

  connect(): Promise<Connection> {
    return Connection.open(this.url)
  }
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** A process of Heddle. */
export class Started {
  readonly ended: Promise<Ended>
  private out = ''
  private err = ''

  constructor(
    readonly child: ChildProcess,
    readonly words: readonly string[],
  ) {
    child.stdout!.on('data', (piece: Buffer) => (this.out += piece.toString()))
    child.stderr!.on('data', (piece: Buffer) => (this.err += piece.toString()))
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, out: this.out, err: this.err })))
  }

  get said(): string {
    return this.out + this.err
  }

  /** Until it has said that. */
  async says(what: RegExp, mostMs = 120_000): Promise<void> {
    const until = performance.now() + mostMs
    while (!what.test(this.said)) {
      if (performance.now() > until || this.child.exitCode !== null)
        throw new Error(`${this.words.join(' ')} did not say ${what}:\n${this.said}`)
      await sleep(20)
    }
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal)
  }
}

/** Those that were started, to be ended with the test. */
export class Yard {
  readonly all: Started[] = []

  /** `through`: as in a network namespace. */
  start(cwd: string, words: readonly string[], through: readonly string[] = [], more: Readonly<Record<string, string>> = {}): Started {
    const { NODE_OPTIONS: _, CI: __, ...env } = process.env
    const all = [...through, process.execPath, HEDDLE, ...words]
    const child = spawn(all[0]!, all.slice(1), { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, NO_COLOR: '1', ...more } })
    const started = new Started(child, words)
    this.all.push(started)
    return started
  }

  worker(cwd: string, url: string, allow: string, ...more: string[]): Started {
    return this.start(cwd, ['worker', '--queue', url, '--allow', allow, ...more])
  }

  async end(): Promise<void> {
    for (const { child } of this.all) child.kill('SIGTERM')
    const killer = setTimeout(() => this.all.forEach(({ child }) => child.kill('SIGKILL')), 20_000)
    await Promise.all(this.all.map(({ ended }) => ended))
    clearTimeout(killer)
  }
}
