/** Databases of their own on servers that many use: what one program sets up, no other sees. */
import { spawnSync } from 'node:child_process'
import { onPath, postgres } from './kinds.ts'
import type { Env } from './start.ts'

/** The same environment, with empty databases of this number in it. */
export function ownDatabases(env: Env, nth: number): Env {
  const name = `own_${nth}`
  const own: Record<string, string> = { ...env }
  if (env['PGHOST'] !== undefined) {
    run(postgres('dropdb')!, ['--if-exists', '--force', name], env)
    run(postgres('createdb')!, [name], env)
    own['PGDATABASE'] = name
  }
  if (env['MARIADB_URL'] !== undefined) {
    const url = new URL(env['MARIADB_URL'])
    const words = ['--no-defaults', '-h', url.hostname, '-P', url.port, '-u', url.username]
    run(onPath('mariadb')!, [...words, '-e', `DROP DATABASE IF EXISTS ${name}; CREATE DATABASE ${name}`], env)
    own['MARIADB_URL'] = Object.assign(url, { pathname: name }).href
  }
  if (env['MONGO_URL'] !== undefined) own['MONGO_URL'] = `${env['MONGO_URL']}/${name}`
  if (env['REDIS_URL'] !== undefined) own['REDIS_URL'] = `${env['REDIS_URL']}/${nth}`
  return own
}

function run(command: string, words: readonly string[], env: Env): void {
  const { status, stderr } = spawnSync(command, words, { env: { ...process.env, ...env }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}
