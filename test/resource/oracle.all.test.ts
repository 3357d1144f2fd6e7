/** A PostgreSQL server of this machine is the oracle (oracle.ts). Without one the test is skipped. HEDDLE_SQL is the number of statements. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { ask, DEFINITIONS, type Row } from './oracle.ts'

interface Client {
  connect(): Promise<void>
  query(sql: string): Promise<{ rows: Row[] }>
  end(): Promise<void>
}

const BINARIES = ['/usr/local/bin', '/usr/lib/postgresql/17/bin', '/usr/lib/postgresql/15/bin'].find((dir) =>
  existsSync(join(dir, 'initdb')),
)
/** It refuses to run as root. */
const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
const own = process.getuid?.() === 0
const as = own ? { uid: Number(uid), gid: Number(gid) } : {}
const possible = BINARIES !== undefined && (!own || uid !== undefined)

let dir: string
let process_: ChildProcess | undefined
let client: Client

beforeAll(async () => {
  if (!possible) return
  dir = mkdtempSync(join(tmpdir(), 'heddle-pg-'))
  if (own) chownSync(dir, Number(uid), Number(gid))
  const data = join(dir, 'data')
  execFileSync(join(BINARIES, 'initdb'), ['-D', data, '-U', 'heddle', '-A', 'trust', '--no-sync'], { stdio: 'ignore', ...as })
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${dir}`, '-c', 'fsync=off']
  process_ = spawn(join(BINARIES, 'postgres'), ['-D', data, ...settings], { stdio: 'ignore', ...as })
  const packages = join(ROOT, '.heddle/resource-packages')
  await installPackages(packages, { pg: '8.23.1' })
  const { Client } = createRequire(join(packages, 'x.js'))('pg') as { Client: new (config: object) => Client }
  for (let tries = 0; ; tries++) {
    client = new Client({ host: dir, user: 'heddle', database: 'postgres' })
    try {
      await client.connect()
      return
    } catch (error) {
      if (tries > 100) throw error
      await sleep(300)
    }
  }
}, 300_000)

afterAll(async () => {
  await client?.end()
  if (process_?.exitCode === null) {
    const ended = new Promise((resolve) => process_!.once('exit', resolve))
    process_.kill('SIGINT')
    await ended
  }
  if (dir) rmSync(dir, { recursive: true, force: true })
})

test.skipIf(!possible)('PostgreSQL changes no row and looks at none that the reading does not claim', { timeout: 1_200_000 }, async () => {
  for (const definition of DEFINITIONS) await client.query(definition)
  const server = { all: async (sql: string): Promise<Row[]> => (await client.query(sql)).rows }
  const tried = await ask(server, 'postgres', 2, Number(process.env['HEDDLE_SQL'] ?? 2000))
  expect(tried.wrong).toEqual([])
  expect(tried.accepted).toBeGreaterThan(tried.statements * 0.7)
  expect(tried.understood).toBe(tried.statements)
})
