/**
 * Tests that packages have in their npm archives, loaded into one process: of runners that start one for each file none would be observed. A word is a file, `*` in its name stands for anything.
 * The environment of the servers of test/servers gets the names that the suites ask for.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { PGHOST, PGPORT, PGUSER, PGPASSWORD = '', PGDATABASE, REDIS_URL } = process.env
if (PGHOST !== undefined)
  process.env.DATABASE_TEST_URL = `postgres://${PGUSER}:${PGPASSWORD}@${PGHOST.startsWith('/') ? '127.0.0.1' : PGHOST}:${PGPORT}/${PGDATABASE}`
if (REDIS_URL !== undefined)
  Object.assign(process.env, { REDIS_HOST: new URL(REDIS_URL).hostname, REDIS_PORT: new URL(REDIS_URL).port, DATASTORE: 'ioredis' })

const files = process.argv.slice(2).flatMap((word) => {
  const name = new RegExp(`^${basename(word).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const found = readdirSync(dirname(word)).filter((file) => name.test(file))
  return found.toSorted().map((file) => resolve(join(dirname(word), file)))
})
// A suite expects to be run in the folder of its package.
process.chdir(/^.*\/node_modules\/(@[^/]*\/)?[^/]*/.exec(files[0])[0])
for (const file of files) await import(pathToFileURL(file).href)
