/** Redis and PostgreSQL of this machine, with data of their own that goes away, on sockets in a folder. Undefined where one is not installed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Servers {
  /** For the programs: BENCH_REDIS and BENCH_POSTGRES. */
  readonly env: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  end(): void
}

const PATIENCE_MS = 30_000

export async function startServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-servers-'))
  chmodSync(folder, 0o755)
  const children: ChildProcess[] = []
  const end = (): void => {
    for (const child of children) child.kill('SIGINT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  process.once('exit', end)
  const env: Record<string, string> = {}
  const missing: string[] = []

  if (spawnSync('redis-server', ['--version']).status === 0) {
    const socket = join(folder, 'redis.sock')
    const words = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder]
    children.push(spawn('redis-server', words, { stdio: 'ignore' }))
    await answering(socket)
    env['BENCH_REDIS'] = socket
  } else missing.push('redis-server')

  const bin = postgresFolder()
  if (bin !== undefined) {
    const data = join(folder, 'postgres')
    mkdirSync(data)
    // It does not run as root.
    const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined
    if (user !== undefined) chownSync(data, user.uid, user.gid)
    const made = spawnSync(join(bin, 'initdb'), ['-D', join(data, 'data'), '-U', 'bench', '-A', 'trust', '-N'], { ...user, cwd: data })
    if (made.status !== 0) throw new Error(`initdb: ${String(made.stderr)}`)
    const words = ['-D', join(data, 'data'), '-k', data, '-c', 'listen_addresses=', '-c', 'fsync=off']
    children.push(spawn(join(bin, 'postgres'), words, { stdio: 'ignore', cwd: data, ...user }))
    await answering(join(data, '.s.PGSQL.5432'))
    env['BENCH_POSTGRES'] = data
  } else missing.push('postgres')
  return { env, missing, end }
}

/** Debian has them by version, outside of PATH. */
function postgresFolder(): string | undefined {
  const all = '/usr/lib/postgresql'
  const versions = existsSync(all) ? readdirSync(all).filter((name) => existsSync(join(all, name, 'bin/initdb'))) : []
  return versions.length === 0 ? undefined : join(all, versions.at(-1)!, 'bin')
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(String(spawnSync('id', [flag, user]).stdout))
  return { uid: id('-u'), gid: id('-g') }
}

async function answering(socket: string): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const client = connect(socket, () => (client.destroy(), resolve(true))).on('error', () => resolve(false))
    })
    if (isOpen) return
    if (Date.now() > until) throw new Error(`Nobody answers at ${socket}.`)
  }
}
