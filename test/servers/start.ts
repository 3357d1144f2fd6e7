/** Starts servers on free ports in temporary folders. They end with `end`, and with the process that started them, however that ends. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { idsOf, RECIPES, type Kind } from './kinds.ts'

/** What programs find in their environment: PGHOST and the like, MARIADB_URL, REDIS_URL. */
export type Env = Readonly<Record<string, string>>

const PATIENCE_MS = 60_000
/** Somebody else may take a port between our look and the server's. */
const TRIES = 5

/** Our end of its standard input closes when we end, also by kill -9: then the server goes, too. */
const WITH_US = `exec 3<&0
"$@" <&- 3<&- & server=$!
(read -r _ <&3; kill -"$SIGNAL" $server) & reader=$!
wait $server
kill $reader`

export class Servers {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-servers-'))
  private readonly children: ChildProcess[] = []
  private readonly started = new Map<Kind, Promise<Env>>()
  private readonly onExit = (): void => this.removeFolder()

  constructor() {
    chmodSync(this.folder, 0o755)
    process.once('exit', this.onExit)
  }

  /** The environment for programs that talk to it. Started when it is first asked for. */
  get(kind: Kind): Promise<Env> {
    if (!this.started.has(kind)) this.started.set(kind, this.start(kind))
    return this.started.get(kind)!
  }

  async end(): Promise<void> {
    process.off('exit', this.onExit)
    const ended = this.children
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((child) => once(child, 'exit'))
    for (const child of this.children) {
      child.ref()
      child.stdin!.end()
    }
    await Promise.all(ended)
    this.removeFolder()
  }

  private removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 })
  }

  private async start(kind: Kind): Promise<Env> {
    const { prepare, command, user: name, signal, env } = RECIPES[kind]
    const folder = join(this.folder, kind)
    const user = idsOf(name)
    mkdirSync(folder)
    if (user !== undefined) chownSync(folder, user.uid, user.gid)
    prepare?.(folder, user)
    for (let nth = 0; nth < TRIES; nth++) {
      const port = await freePort()
      const child = spawn('sh', ['-c', WITH_US, 'sh', ...command(folder, port)], {
        ...user,
        cwd: folder,
        env: { ...process.env, SIGNAL: signal },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      if (await answers(child, port)) {
        this.children.push(child)
        // Nobody waits for it: a process that has nothing else to do ends.
        child.unref()
        return env(port)
      }
    }
    throw new Error(`${kind} did not start.`)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** False when it has ended. */
async function answers(child: ChildProcess, port: number): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; child.exitCode === null; await sleep(50)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const client = connect(port, '127.0.0.1', () => (client.destroy(), resolve(true))).on('error', () => resolve(false))
    })
    if (isOpen) return true
    if (Date.now() > until) throw new Error(`Nobody answers at ${port}.`)
  }
  return false
}
