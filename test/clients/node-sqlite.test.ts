/** SQLite of Node itself: a module without a file, whose statements have their text behind a getter. From Node 22.15 on. */
import * as nodeModule from 'node:module'
import { expect, test } from 'vitest'
import { withEffects } from '../../src/clients/effects.ts'
import { allClients } from '../../src/clients/open.ts'
import { readRequest } from '../../src/clients/read.ts'
import { READ, WRITE } from '../../src/trace/ops.ts'
import { run } from '../runtime/program.ts'

const isThere = nodeModule.isBuiltin('node:sqlite') && 'registerHooks' in nodeModule

test.skipIf(!isThere).each([
  ['main.cjs', "const { DatabaseSync } = require('node:sqlite')"],
  ['main.mjs', "import { DatabaseSync } from 'node:sqlite'"],
])('its statements are reads and writes of rows, in %s', async (main, from) => {
  const source = `${from}
    const db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE items (id INTEGER PRIMARY KEY, stock INTEGER)')
    const { stock } = db.prepare('SELECT stock FROM items WHERE id = ?').get(7) ?? { stock: 1 }
    db.prepare('UPDATE items SET stock = ? WHERE id = ?').run(stock, 7)`
  const outcome = await run({ [main]: source }, { config: { clients: allClients() } })
  expect(outcome.code, outcome.stderr).toBe(0)
  const { trace, requests, unread } = withEffects(outcome.trace(), allClients(), readRequest)
  expect({ requests, unread }).toEqual({ requests: 3, unread: 0 })
  const stock = Array.from({ length: trace.eventCount }, (_, event) => event).filter(
    (event) => trace.targetName(event) === 'items[id=7].stock',
  )
  expect(stock.map((event) => trace.op[event])).toEqual([READ, WRITE])
})
