/** Somebody logs out while another request of the same session is under way: afterwards the session has to be gone. */
import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import express from 'express'
import session from 'express-session'

const right = process.argv[2] === 'right'
const app = express()
app.use(session({ secret: 'x', resave: false, saveUninitialized: false }))
app.post('/login', (req, res) => {
  req.session.user = 'ann'
  res.json('in')
})
app.get('/report', async (req, res) => {
  if (!right) req.session.views = (req.session.views ?? 0) + 1
  await readFile(new URL(import.meta.url))
  res.json('report')
})
app.post('/logout', (req, res) => req.session.destroy(() => res.json('out')))
app.get('/me', (req, res) => res.status(req.session.user ? 200 : 401).json(req.session.user ?? null))

const server = app.listen(0)
await new Promise((done) => server.once('listening', done))
const url = `http://127.0.0.1:${server.address().port}`
const login = await fetch(`${url}/login`, { method: 'POST' })
const headers = { cookie: login.headers.get('set-cookie').split(';')[0] }
const later = (ms) => new Promise((done) => setTimeout(done, ms))
await Promise.all([fetch(`${url}/report`, { headers }), later(150).then(() => fetch(`${url}/logout`, { method: 'POST', headers }))])
const { status } = await fetch(`${url}/me`, { headers })
server.close()
server.closeAllConnections()
assert.equal(status, 401)
