// A connection is closed by its user, or by the idle check where the user is slow; then it is closed in the background. Fails when the user is slow and comes back before the background close is through.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const connection = { used: false, idle: false, closing: null, handle: { refs: 1 } }

async function use() {
  await readFile(__filename)
  connection.used = true
  if (!connection.idle) return
  if (RIGHT) await connection.closing
  for (let i = 0; i < 6; i++) await stat(__filename)
  if (connection.handle !== null && !RIGHT) throw new Error('used while it was being closed')
  await stat(__filename)
}

async function idleCheck() {
  for (let i = 0; i < 16; i++) await stat(__filename)
  if (connection.used) return stat(__filename)
  connection.idle = true
  connection.closing = readFile(__filename).then(() => {
    connection.handle = null
  })
}

use()
idleCheck()
