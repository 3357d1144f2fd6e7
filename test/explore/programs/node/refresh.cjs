// A token is refreshed while requests use it. Who finds it expired asks for a new one; who finds a refresh under way waits for that. Fails when the refresh is late and so is the answer to the request that waits for it.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const session = { token: 'old', expired: false, refreshing: null, ended: false }

async function refresh() {
  await readFile(__filename)
  session.token = 'new'
  session.refreshing = null
}

async function request() {
  for (let i = 0; i < 16; i++) await stat(__filename)
  if (!session.refreshing) return session.token
  const waited = session.refreshing
  await readFile(__filename)
  if (session.ended && !RIGHT) throw new Error('the session ended while a request waited for its token')
  await waited
  return session.token
}

async function main() {
  session.refreshing = refresh()
  const answered = request()
  for (let i = 0; i < 30; i++) await stat(__filename)
  if (RIGHT) await answered
  session.ended = true
}

main()
