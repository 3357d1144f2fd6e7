import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fs from 'fs-extra'

describe('fs-extra', () => {
  let dir
  beforeEach(async () => {
    dir = await fs.mkdtemp(join(tmpdir(), 'bench-fs-'))
  })
  afterEach(() => fs.remove(dir))
  it('copies trees', async () => {
    await Promise.all([1, 2, 3].map((i) => fs.outputFile(join(dir, `a/b${i}/c.txt`), `text ${i}`)))
    await fs.copy(join(dir, 'a'), join(dir, 'z'))
    assert.equal(await fs.readFile(join(dir, 'z/b2/c.txt'), 'utf8'), 'text 2')
  })
  it('json', async () => {
    await fs.outputJson(join(dir, 'x/y.json'), { n: 1 })
    assert.deepEqual(await fs.readJson(join(dir, 'x/y.json')), { n: 1 })
  })
  it('moves, and does not overwrite', async () => {
    await fs.outputFile(join(dir, 'one'), '1')
    await fs.move(join(dir, 'one'), join(dir, 'two'))
    await fs.outputFile(join(dir, 'one'), 'again')
    await assert.rejects(fs.move(join(dir, 'one'), join(dir, 'two')), /dest already exists/)
  })
  it('ensures', async () => {
    await Promise.all([1, 2, 3, 4].map(() => fs.ensureDir(join(dir, 'p/q/r'))))
    await fs.ensureFile(join(dir, 'p/q/f'))
    await fs.emptyDir(join(dir, 'p'))
    assert.deepEqual(await fs.readdir(join(dir, 'p')), [])
  })
})
