/** The ways to reset a database in docs/real-effects.md, as they stand there, against real servers: without them the second run of the program fails. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackages, ROOT } from '../node-bugs/install.ts'
import { checkedFrom, run, type Checked } from '../node-bugs/run.ts'
import { serverEnv } from '../servers/ask.ts'
import { cannotStart, onPath, type Kind } from '../servers/kinds.ts'
import { PACKAGES } from './packages.ts'

const PAGE = readFileSync(join(ROOT, 'docs/real-effects.md'), 'utf8')
const MODULES = join(ROOT, '.heddle/databases-reset')

/** The block of the page that has this text in it. */
function block(language: string, part: string): string {
  const blocks = [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, name, text]) => name === language && text!.includes(part))
  expect(blocks.length, part).toBe(1)
  return blocks[0]![2]!
}

/** Something to look at: where nothing could happen in another order, nothing is run again. */
const RACE = `
import { readFile } from 'node:fs/promises'
let last = ''
await Promise.all(['package.json', 'app.js'].map(async (file) => (last = await readFile(file, 'utf8'))))
console.log(last.length > 0)
`

let folder: string
beforeAll(async () => {
  const { pg, mysql2, redis } = PACKAGES
  await installPackages(MODULES, { pg, mysql2, redis })
  folder = mkdtempSync(join(MODULES, 'reset-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Commands that stand for those of a machine where the servers listen where they always do. */
function commands(env: Readonly<Record<string, string>>): string {
  const bin = mkdtempSync(join(tmpdir(), 'heddle-bin-'))
  const add = (name: string, line: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  add('npx', `shift 2; exec "${process.execPath}" "${join(ROOT, 'bin/heddle.js')}" check --json --replays 3 --time 600 "$@"`)
  if (env['REDIS_URL']) add('redis-cli', `exec ${onPath('redis-cli')} -p ${new URL(env['REDIS_URL']).port} "$@"`)
  if (env['MARIADB_URL'])
    add('mariadb', `exec ${onPath('mariadb')} --no-defaults -h 127.0.0.1 -P ${new URL(env['MARIADB_URL']).port} -u root "$@"`)
  return bin
}

/** `script`: of the page. `without`: the same without its hook. */
async function check(
  script: string,
  program: string,
  env: Readonly<Record<string, string>>,
  set: string,
): Promise<{ with: Checked; without: Checked }> {
  const cwd = join(folder, set)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'app.js'), `${program}${RACE}`)
  const bin = commands(env)
  const all = { ...env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  writeFileSync(join(cwd, 'seed.sql'), 'CREATE TABLE users (name varchar(20) PRIMARY KEY)')
  try {
    const withHook = checkedFrom(await run('sh', ['-c', script], cwd, 600_000, all))
    const once = script.replace(/ --before-each '([^']*)'/, '')
    // The same start, once.
    const hook = /--before-each '([^']*)'/.exec(script)
    if (hook) expect(spawnSync('sh', ['-c', hook[1]!], { cwd, env: { ...process.env, ...all } }).status).toBe(0)
    return { with: withHook, without: checkedFrom(await run('sh', ['-c', once], cwd, 600_000, all)) }
  } finally {
    rmSync(bin, { recursive: true })
  }
}

/** How many plain runs failed; undefined if there was none. */
const failures = ({ json }: Checked): number | undefined => (json.plain.runs === 0 ? undefined : json.plain.failed)
const where = (kind: Kind): [(name: string, body: () => Promise<void>) => void, string] => {
  const cannot = cannotStart(kind)
  return [test.skipIf(cannot !== ''), cannot]
}

const [postgres, noPostgres] = where('postgres')
postgres(`a template of PostgreSQL ${noPostgres}`, async () => {
  const env = await serverEnv('postgres')
  const sql = (text: string, database: string): void =>
    expect(spawnSync('psql', ['-d', database, '-c', text], { env: { ...process.env, ...env } }).status).toBe(0)
  sql('CREATE DATABASE app_template', 'postgres')
  sql('CREATE TABLE users (name text)', 'app_template')
  const script = block('sh', 'createdb -T')
  const program = block('js', 'ROLLBACK').replace('BEGIN', 'SELECT 1').replace('ROLLBACK', 'SELECT 1')
  const checked = await check(script, program, env, 'template')
  expect(failures(checked.with)).toBe(0)
  expect(failures(checked.without)).toBeGreaterThan(0)
})

postgres(`a transaction that is rolled back ${noPostgres}`, async () => {
  const env = await serverEnv('postgres')
  spawnSync('psql', ['-d', 'postgres', '-c', 'CREATE TABLE IF NOT EXISTS users (name text)'], { env: { ...process.env, ...env } })
  const checked = await check('npx heddle check -- node app.js', block('js', 'ROLLBACK'), env, 'rollback')
  expect(failures(checked.with)).toBe(0)
})

const [mariadb, noMariadb] = where('mariadb')
mariadb(`a dump of MariaDB ${noMariadb}`, async () => {
  const env = await serverEnv('mariadb')
  const program = `import mysql from 'mysql2/promise'
const url = new URL(process.env.MARIADB_URL)
const connection = await mysql.createConnection({ host: url.hostname, port: Number(url.port), user: 'root', database: process.env.MARIADB_DATABASE })
await connection.query("INSERT INTO users VALUES ('ada')")
await connection.end()
`
  const checked = await check(block('sh', 'seed.sql'), program, env, 'dump')
  expect(failures(checked.with)).toBe(0)
  expect(failures(checked.without)).toBeGreaterThan(0)
})

const [redis, noRedis] = where('redis')
redis(`a number of Redis ${noRedis}`, async () => {
  const env = await serverEnv('redis')
  const program = `import assert from 'node:assert/strict'
import { createClient } from 'redis'
const redis = await createClient({ url: process.env.REDIS_URL, database: Number(process.env.REDIS_DB) }).connect()
assert.equal(await redis.incr('visits'), 1)
await redis.close()
`
  const checked = await check(block('sh', 'redis-cli'), program, env, 'number')
  expect(failures(checked.with)).toBe(0)
  expect(failures(checked.without)).toBeGreaterThan(0)
})
