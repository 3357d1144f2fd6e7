/** Two items are stored, one a little later. The program ends when both are. */
import { strict as assert } from 'node:assert'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import storage from 'node-persist'

const right = process.argv[2] === 'right'
const dir = await mkdtemp(`${tmpdir()}/persist-`)
const store = storage.create({ dir, writeQueue: !right })
await store.init()

const later = (ms) => new Promise((done) => setTimeout(done, ms))
await Promise.all([store.setItem('ann', 1), later(50).then(() => store.setItem('bob', 2))])
const names = await store.keys()
await rm(dir, { recursive: true })
assert.deepEqual(names.sort(), ['ann', 'bob'])
