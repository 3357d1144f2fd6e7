// Two candidates and a lease: who sees no leader becomes one, and says so in a second step. Fails when the first is late with both steps.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const cluster = { claimed: null, leader: null }

async function first() {
  await readFile(__filename)
  if (cluster.claimed !== null) return
  cluster.claimed = 'first'
  await readFile(__filename)
  if (RIGHT && cluster.leader !== null) return
  if (cluster.leader !== null) throw new Error(`two leaders: ${cluster.leader} and first`)
  cluster.leader = 'first'
}

async function second() {
  for (let i = 0; i < 20; i++) await stat(__filename)
  // A claim is old when its owner does not lead by then.
  const claimed = cluster.claimed
  if (cluster.leader !== null) return stat(__filename)
  for (let i = 0; i < 5; i++) await stat(__filename)
  if (claimed === null) return stat(__filename)
  cluster.leader ??= 'second'
  await stat(__filename)
}

first()
second()
