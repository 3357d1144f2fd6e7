// Work moves from one owner to the next: the old one is asked to stop, the new one takes over what it finds. Fails when the old owner is slow to stop and the new one is quick to begin, and the old one has not saved.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const shard = { saved: false, stopping: false, stopped: null, owner: 'old' }

async function oldOwner() {
  await readFile(__filename)
  if (shard.stopping) {
    // Asked to stop before the first save: it saves in its own time.
    shard.stopped = readFile(__filename).then(() => {
      shard.saved = true
    })
    return
  }
  shard.saved = true
}

async function handOver(old) {
  for (let i = 0; i < 16; i++) await stat(__filename)
  shard.stopping = true
  for (let i = 0; i < 5; i++) await stat(__filename)
  for (let i = 0; i < 5; i++) await stat(__filename)
  if (RIGHT) {
    await old
    await shard.stopped
  }
  shard.owner = 'new'
  if (!shard.saved && shard.stopped) throw new Error('taken over before the old owner had saved')
  await stat(__filename)
}

const old = oldOwner()
handOver(old)
