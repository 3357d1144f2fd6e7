/** Notes kept in memory behind express; clients that come at once. */
import assert from 'node:assert/strict'
import express from 'express'
import { listening, together } from './_parts.mjs'

const notes = new Map()
const app = express()
app.use(express.json())
app.post('/notes', (req, res) => {
  const id = notes.size + 1
  notes.set(id, req.body.text)
  res.status(201).json({ id })
})
app.get('/notes/:id', (req, res) => {
  const text = notes.get(Number(req.params.id))
  if (text === undefined) res.sendStatus(404)
  else res.json({ text })
})

const { url, close } = await listening(app.listen(0))
const post = (text) =>
  fetch(`${url}/notes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) })
const ids = await together(8, async (i) => (await (await post(`note ${i}`)).json()).id)
assert.equal(new Set(ids).size, 8)
const texts = await Promise.all(ids.map(async (id) => (await (await fetch(`${url}/notes/${id}`)).json()).text))
assert.equal(new Set(texts).size, 8)
assert.equal((await fetch(`${url}/notes/99`)).status, 404)
await close()
console.log('notes:', texts.length)
