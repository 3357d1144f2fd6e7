import assert from 'node:assert/strict'
import express from 'express'
import request from 'supertest'

const app = express()
app.use(express.json())
app.get('/hello', (req, res) => res.json({ hello: req.query.name ?? 'you' }))
app.post('/echo', (req, res) => setTimeout(() => res.send(req.body), 5))
app.get('/fails', async () => {
  throw new Error('it fails')
})
app.use((error, _req, res, _next) => res.status(500).json({ error: error.message }))

describe('express with supertest', () => {
  it('answers', async () => {
    const { body } = await request(app).get('/hello?name=me').expect(200)
    assert.deepEqual(body, { hello: 'me' })
  })
  it('reads bodies', () => request(app).post('/echo').send({ a: 1 }).expect(200, { a: 1 }))
  it('knows what is missing', () => request(app).get('/nothing').expect(404))
  it('tells errors', () => request(app).get('/fails').expect(500, { error: 'it fails' }))
  it('several at once', async () => {
    const agent = request.agent(app)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => agent.post('/echo').send({ n })))
    assert.deepEqual(
      answers.map(({ body }) => body.n),
      [1, 2, 3, 4],
    )
  })
})
