/** What `heddle doctor` says of packages that talk to a database server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetLook } from '../../src/cli/reset.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'heddle-reset-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const dependsOn = (...names: string[]): void =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }))

test('a package that talks to no server is not spoken of', async () => {
  dependsOn('express', 'better-sqlite3')
  expect(await resetLook(folder)).toBeUndefined()
})

test('a package with clients and no hook is told which, also in a folder below', async () => {
  dependsOn('express', 'pg', 'ioredis', 'queue')
  mkdirSync(join(folder, 'src'))
  mkdirSync(join(folder, 'node_modules/queue'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/queue/package.json'), JSON.stringify({ dependencies: { ioredis: '*' } }))
  expect(await resetLook(join(folder, 'src'))).toEqual({
    hint:
      'This package uses PostgreSQL (pg) and Redis (ioredis, queue). What a run writes there stays for the next one, so replays can end differently: ' +
      'reset it by --before-each, or beforeEach in heddle.config.ts (docs/real-effects.md).',
  })
})

test('with a hook all is well', async () => {
  dependsOn('mysql2')
  writeFileSync(join(folder, 'heddle.config.mjs'), `export default { beforeEach: 'npm run db:reset' }\n`)
  expect(await resetLook(folder)).toEqual({ ok: 'MySQL (mysql2) can be reset from run to run: beforeEach is set' })
})

test('a configuration that cannot be read is a fault', async () => {
  dependsOn('redis')
  writeFileSync(join(folder, 'heddle.config.mjs'), 'export default { replays: "many" }\n')
  expect(await resetLook(folder)).toMatchObject({ fault: expect.stringContaining('replays') })
})
