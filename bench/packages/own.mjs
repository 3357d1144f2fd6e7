/**
 * Tests that packages have in their npm archives, loaded into one process: of runners that start one for each file none would be observed. A word is a file, `*` in its name stands for anything.
 * The environment of the servers of test/servers gets the names that the suites ask for.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'

const { PGHOST, PGPORT, PGUSER, PGPASSWORD = '', PGDATABASE, REDIS_URL } = process.env
if (PGHOST !== undefined) {
  process.env.DATABASE_TEST_URL = `postgres://${PGUSER}:${PGPASSWORD}@${PGHOST.startsWith('/') ? '127.0.0.1' : PGHOST}:${PGPORT}/${PGDATABASE}`
  // What `npm run load-data` of @fastify/postgres does.
  const client = new pg.Client(process.env.DATABASE_TEST_URL)
  await client.connect()
  await client.query('create table if not exists users (id serial primary key, username varchar (50) not null)')
  await client.end()
}
if (REDIS_URL !== undefined)
  Object.assign(process.env, { REDIS_HOST: new URL(REDIS_URL).hostname, REDIS_PORT: new URL(REDIS_URL).port, DATASTORE: 'ioredis' })

const files = process.argv.slice(2).flatMap((word) => {
  const name = new RegExp(`^${basename(word).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const found = readdirSync(dirname(word)).filter((file) => name.test(file))
  return found.toSorted().map((file) => resolve(join(dirname(word), file)))
})
// A suite expects to be run in the folder of its package.
process.chdir(/^.*\/node_modules\/(@[^/]*\/)?[^/]*/.exec(files[0])[0])
// All before the first test begins, as far as they are no ES modules: how long a module takes would decide what comes first.
const require = createRequire(import.meta.url)
for (const file of files)
  try {
    require(file)
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error
    await import(pathToFileURL(file).href)
  }
