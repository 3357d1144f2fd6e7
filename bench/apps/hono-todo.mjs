/** A list kept in a file behind hono: writes one after the other, and by a rename. */
import assert from 'node:assert/strict'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { inFolder, listening, together } from './_parts.mjs'

await inFolder(async (folder) => {
  const file = join(folder, 'todo.json')
  await writeFile(file, '[]')
  let last = Promise.resolve()
  const change = (action) => {
    last = last.then(async () => {
      const list = JSON.parse(await readFile(file, 'utf8'))
      action(list)
      await writeFile(`${file}.new`, JSON.stringify(list))
      await rename(`${file}.new`, file)
    })
    return last
  }
  const app = new Hono()
  app.post('/todo/:what', async (c) => {
    await change((list) => list.push(c.req.param('what')))
    return c.json({ ok: true })
  })
  app.get('/todo', async (c) => c.json(JSON.parse(await readFile(file, 'utf8'))))
  const { url, close } = await listening(serve({ fetch: app.fetch, port: 0 }))
  await together(6, (i) => fetch(`${url}/todo/t${i}`, { method: 'POST' }))
  const list = await (await fetch(`${url}/todo`)).json()
  assert.deepEqual(list.sort(), ['t0', 't1', 't2', 't3', 't4', 't5'])
  await close()
  console.log('todo:', list.length)
})
