/** SQLite in this process is the oracle (oracle.ts); that of a PostgreSQL server is in oracle.all.test.ts. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { ask, DEFINITIONS, type Row } from './oracle.ts'

interface Wasm {
  exec(sql: string): void
  all(sql: string): Row[]
}

test('SQLite changes no row and looks at none that the reading does not claim', { timeout: 60_000 }, async () => {
  const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as { Database: new () => Wasm }
  const database = new Database()
  database.exec('PRAGMA foreign_keys = ON')
  for (const definition of DEFINITIONS) database.exec(definition)
  const server = {
    all: (sql: string): Row[] => {
      if (/^(SELECT|WITH)/.test(sql)) return database.all(sql)
      database.exec(sql)
      return []
    },
  }
  const tried = await ask(server, 'sqlite', 1, Number(process.env['HEDDLE_SQL'] ?? 150))
  expect(tried.wrong).toEqual([])
  expect(tried.accepted).toBeGreaterThan(tried.statements * 0.7)
  expect(tried.understood).toBe(tried.statements)
  expect(tried.withPart).toBeGreaterThan(tried.statements * 0.4)
})
