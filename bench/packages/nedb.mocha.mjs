import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Datastore from '@seald-io/nedb'

describe('nedb', () => {
  let dir
  let db
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'bench-nedb-'))
    db = new Datastore({ filename: join(dir, 'data.db') })
    await db.loadDatabaseAsync()
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))
  it('inserts and finds', async () => {
    await Promise.all([1, 2, 3, 4].map((n) => db.insertAsync({ n })))
    assert.deepEqual(
      (await db.findAsync({ n: { $gt: 1 } }).sort({ n: 1 })).map(({ n }) => n),
      [2, 3, 4],
    )
  })
  it('keeps what is unique', async () => {
    await db.ensureIndexAsync({ fieldName: 'name', unique: true })
    await db.insertAsync({ name: 'a' })
    await assert.rejects(db.insertAsync({ name: 'a' }), { errorType: 'uniqueViolated' })
  })
  it('updates, removes, and reads its file again', async () => {
    await db.insertAsync([{ n: 1 }, { n: 2 }, { n: 3 }])
    await db.updateAsync({ n: 2 }, { $set: { n: 20 } })
    await db.removeAsync({ n: 3 }, {})
    await db.compactDatafileAsync()
    const again = new Datastore({ filename: join(dir, 'data.db') })
    await again.loadDatabaseAsync()
    assert.deepEqual(
      (await again.findAsync({}).sort({ n: 1 })).map(({ n }) => n),
      [1, 20],
    )
  })
})
