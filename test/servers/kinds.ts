/** The servers that programs in tests and benchmarks talk to: where they are installed, how they are made and started. Data of their own, loopback only, nothing kept. */
import { spawnSync } from 'node:child_process'
import { accessSync, chownSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jarsOf } from '../java-libraries/maven.ts'

export type Kind = 'postgres' | 'mariadb' | 'redis' | 'mongo'

export interface User {
  readonly uid: number
  readonly gid: number
}

/** How one server is started in an empty folder of its own. */
interface Recipe {
  /** What Debian calls it. */
  readonly package: string
  readonly binaries: () => readonly (string | undefined)[]
  /** The user it runs as where we are root: some refuse to run as root. */
  readonly user?: string
  /** Once, before it is started. */
  prepare?(folder: string, user: User | undefined): void
  command(folder: string, port: number): readonly [string, ...string[]]
  /** With it the server ends at once. */
  readonly signal: 'QUIT' | 'KILL'
  /** What programs find in their environment. */
  env(port: number): Readonly<Record<string, string>>
}

const wordsOf = (line: string): string[] => line.split(' ')

export const RECIPES: Readonly<Record<Kind, Recipe>> = {
  postgres: {
    package: 'postgresql',
    binaries: () => [postgres('initdb'), postgres('postgres')],
    user: 'postgres',
    prepare: (folder, user) => made(postgres('initdb')!, ['-D', join(folder, 'data'), '-U', 'heddle', '-A', 'trust', '-N'], folder, user),
    command: (folder, port) => [
      postgres('postgres')!,
      ...wordsOf(`-D ${folder}/data -k ${folder} -p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`),
    ],
    signal: 'QUIT',
    env: (port) => ({ PGHOST: '127.0.0.1', PGPORT: `${port}`, PGUSER: 'heddle', PGDATABASE: 'postgres' }),
  },
  mariadb: {
    package: 'mariadb-server',
    binaries: () => [onPath('mariadb-install-db'), onPath('mariadbd')],
    user: 'mysql',
    prepare: (folder, user) =>
      made(onPath('mariadb-install-db')!, ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--skip-test-db'], folder, user),
    command: (folder, port) => [
      onPath('mariadbd')!,
      ...wordsOf(`--no-defaults --datadir=${folder}/data --socket=${folder}/socket --pid-file=${folder}/pid`),
      ...wordsOf(`--port=${port} --bind-address=127.0.0.1 --skip-grant-tables --innodb-flush-log-at-trx-commit=0`),
    ],
    signal: 'KILL',
    env: (port) => ({ MARIADB_URL: `mysql://root@127.0.0.1:${port}/mysql` }),
  },
  redis: {
    package: 'redis-server',
    binaries: () => [onPath('redis-server')],
    command: (folder, port) => [
      onPath('redis-server')!,
      ...wordsOf(`--port ${port} --bind 127.0.0.1 --appendonly no --databases 256 --dir ${folder} --save`),
      '',
    ],
    signal: 'KILL',
    env: (port) => ({ REDIS_URL: `redis://127.0.0.1:${port}` }),
  },
  // Not MongoDB itself, which Debian does not have: a server in Java that speaks its protocol.
  mongo: {
    package: 'a JDK and Maven, for mongo-java-server',
    binaries: () => [onPath('java'), onPath('javac'), mongoJars()],
    command: (_folder, port) => [onPath('java')!, '-Xmx256m', '-cp', mongoJars()!, join(MONGO, 'Serve.java'), `${port}`],
    signal: 'KILL',
    env: (port) => ({ MONGO_URL: `mongodb://127.0.0.1:${port}` }),
  },
}

const MONGO = fileURLToPath(new URL('mongo', import.meta.url))

/** A class path; undefined where Maven Central cannot be asked. Asked only for applications that need it. */
function mongoJars(): string | undefined {
  const jars = jarsOf(join(MONGO, 'pom.xml'))
  return 'missing' in jars ? undefined : jars.join(delimiter)
}

/** Why these cannot be started here, in a sentence; empty where they can. */
export function cannotStart(...kinds: readonly Kind[]): string {
  const missing = kinds.filter((kind) => RECIPES[kind].binaries().includes(undefined)).map((kind) => RECIPES[kind].package)
  return missing.length === 0 ? '' : `not installed: ${missing.join(', ')}`
}

/** Debian has those of PostgreSQL by version, outside of PATH. */
export function postgres(name: string): string | undefined {
  const all = '/usr/lib/postgresql'
  const versions = existsSync(all) ? readdirSync(all).filter((version) => existsSync(join(all, version, 'bin', name))) : []
  return versions.length === 0 ? onPath(name) : join(all, versions.at(-1)!, 'bin', name)
}

export function onPath(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where we are root, the ids of this user. */
export function idsOf(user: string | undefined): User | undefined {
  if (user === undefined || process.getuid?.() !== 0) return undefined
  const id = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

/** A folder for the data, and in it what this command makes. */
function made(command: string, words: readonly string[], folder: string, user: User | undefined): void {
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  if (user !== undefined) chownSync(join(folder, 'data'), user.uid, user.gid)
  const { status, stdout, stderr } = spawnSync(command, words, { ...user, cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`)
}
