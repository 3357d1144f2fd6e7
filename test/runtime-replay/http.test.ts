/** Requests by HTTP and their answers: what orders them, what is recorded of them, and what a delay means (docs/event-loop.md, "Requests by HTTP"). */
import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { waitsFor } from '../../src/causal/loop/leads.ts'
import { hold, labelOf, postsOf, replay, told } from './replay.ts'
import { run } from '../runtime/program.ts'

/** Ways to ask; each keeps its connections. */
const WAYS = {
  fetch: `const ask = async (method, url) => (await fetch(url, { method })).text()`,
  'http.Agent': `
    const agent = new http.Agent({ keepAlive: true })
    const ask = (method, url) => new Promise((resolve, reject) =>
      http.request(url, { method, agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject).end())`,
  'Unix socket': `
    const agent = new http.Agent({ keepAlive: true })
    const ask = (method, url) => new Promise((resolve, reject) =>
      http.request({ socketPath: './socket', path: '/' + url.split('/').at(-1), method, agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject).end())`,
} as const

/** The second request is sent a second after the first: by then that one is answered, and its connection is free. */
const program = (way: keyof typeof WAYS): string => `
  const http = require('node:http'), { stat } = require('node:fs')
  const say = (text) => console.log(text)
  ${WAYS[way]}
  let connections = 0
  const server = http.createServer((request, response) => {
    if (request.url === '/second') { say('second served'); response.end() }
    else stat('/', () => { say('first served'); response.end() })
  })
  server.on('connection', () => connections++).listen(${way === 'Unix socket' ? "'./socket'" : "0, '127.0.0.1'"}, async () => {
    const url = 'http://127.0.0.1:' + server.address().port
    const later = async () => { await new Promise((done) => setTimeout(done, 1000)); await ask('GET', url + '/second') }
    await Promise.all([ask('GET', url + '/first'), later()])
    say(connections + ' connections')
    server.close(); server.closeAllConnections(); ${way === 'fetch' ? '' : 'agent.destroy()'}
  })`

test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('%s: a kept connection orders nothing', async (way) => {
  const recorded = await run({ 'main.cjs': program(way) })
  expect(recorded.stdout.trim().split('\n')).toEqual(['first served', 'second served', '1 connections'])
  const view = new LoopView(recorded.trace())
  const named = (name: string): number[] =>
    Array.from({ length: view.turnCount }, (_, turn) => turn).filter((turn) => view.nameOf(turn) === name)
  // Each comes twice: to the server, and as the answer to the client.
  const [first, second] = [named('GET /first'), named('GET /second')] as const
  expect([first.length, second.length]).toEqual([2, 2])
  const isOrdered = (a: number, b: number): boolean =>
    view.before(a, b) || waitsFor(view, a, { unit: b, chain: view.turnOp[b]!, event: Infinity })
  expect([isOrdered(first[0]!, first[1]!), isOrdered(second[0]!, second[1]!)]).toEqual([true, true])
  expect([isOrdered(first[0]!, second[0]!), isOrdered(first[1]!, second[0]!), isOrdered(first[1]!, second[1]!)]).toEqual([
    false,
    false,
    false,
  ])

  const posts = await postsOf(program(way))
  const late = await replay(program(way), [hold(labelOf(posts, 'fs'), labelOf(posts, 'http GET /second'))])
  expect(told(late.report), late.stderr).toBe('0 held, 0 released')
  expect(late.stdout.trim().split('\n')).toEqual(['second served', 'first served', '2 connections'])
})

test.each(['fetch', 'http.Agent'] as const)('%s: what is sent because of an answer comes after it', async (way) => {
  const text = program(way).replace('await Promise.all([', 'await (async () => { await ').replace(', later()])', '; await later() })()')
  const view = new LoopView((await run({ 'main.cjs': text })).trace())
  const turns = Array.from({ length: view.turnCount }, (_, turn) => turn)
  const [answered, served] = [
    turns.filter((t) => view.nameOf(t) === 'GET /first')[1]!,
    turns.find((t) => view.nameOf(t) === 'GET /second')!,
  ]
  expect(view.before(answered, served) || waitsFor(view, answered, { unit: served, chain: view.turnOp[served]!, event: Infinity })).toBe(
    true,
  )
})

test('a pool of one connection: who waits for it comes after the answer', async () => {
  const text = program('http.Agent')
    .replace('keepAlive: true', 'keepAlive: true, maxSockets: 1')
    .replace('setTimeout(done, 1000)', 'done()')
  const recorded = await run({ 'main.cjs': text })
  expect(recorded.stdout.trim().split('\n')).toEqual(['first served', 'second served', '1 connections'])
  const view = new LoopView(recorded.trace())
  const turns = Array.from({ length: view.turnCount }, (_, turn) => turn)
  const [answered, served] = [
    turns.filter((t) => view.nameOf(t) === 'GET /first')[1]!,
    turns.find((t) => view.nameOf(t) === 'GET /second')!,
  ]
  expect(waitsFor(view, answered, { unit: served, chain: view.turnOp[served]!, event: Infinity })).toBe(true)
})

/** A service in another process: that of the test. It says in which order requests came. */
async function service(socket?: string): Promise<{ readonly url: string; readonly came: string[] }> {
  const came: string[] = []
  const server: Server = createServer((request, response) => {
    came.push(request.method!)
    response.end()
  })
  await new Promise<void>((listening) =>
    socket === undefined ? server.listen(0, '127.0.0.1', listening) : server.listen(socket, listening),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: socket === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : `http://unix:${socket}:`, came }
}

const two = (way: keyof typeof WAYS, url: string): string => `
  const http = require('node:http')
  ${WAYS[way].replace('./socket', /unix:(.*):/.exec(url)?.[1] ?? '')}
  Promise.all([ask('PUT', '${url}/rates'), ask('GET', '${url}/rates?base=EUR')])${way === 'fetch' ? '' : '.then(() => agent.destroy())'}`

test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  '%s: a service outside is known by its URL, and a request to it can be late',
  async (way) => {
    const { url, came } = await service(way === 'Unix socket' ? join(mkdtempSync(join(tmpdir(), 'heddle-socket-')), 'socket') : undefined)
    const view = new LoopView((await run({ 'main.cjs': two(way, url) })).trace())
    const { count, write, location, unit } = view.accesses
    const at = `url ${url.slice('http://'.length)}/rates`
    const accesses = Array.from({ length: count }, (_, a) => a).filter((a) => view.trace.tables.locations.at(location[a]!) === at)
    expect(accesses.map((a) => `${view.nameOf(view.turnOf(unit[a]!))}: ${write[a] ? 'write' : 'read'}`).toSorted()).toEqual([
      'GET /rates: read',
      'PUT /rates: write',
    ])

    const posts = await postsOf(two(way, url))
    came.length = 0
    const late = await replay(two(way, url), [hold(labelOf(posts, 'http PUT /rates'), labelOf(posts, 'http GET /rates'), 'start')])
    expect(told(late.report), late.stderr).toBe('0 held, 0 released')
    expect(came).toEqual(['GET', 'PUT'])
  },
)

const FRAMES = `
  const http2 = require('node:http2'), { stat } = require('node:fs')
  const server = http2.createServer((request, response) => {
    if (request.url === '/second') { console.log('second served'); response.end() }
    else stat('/', () => { console.log('first served'); response.end() })
  })
  server.listen(0, '127.0.0.1', async () => {
    const session = http2.connect('http://127.0.0.1:' + server.address().port)
    const ask = (path) => new Promise((resolve) => session.request({ ':path': path }).on('response', () => console.log('heard')).resume().on('end', resolve).end())
    const later = async () => { await new Promise((done) => setTimeout(done, 1000)); await ask('/second') }
    await Promise.all([ask('/first'), later()])
    session.close(); server.close()
  })`

test('HTTP/2: requests of one session keep their order, answers come after who gives them', async () => {
  const recorded = await run({ 'main.cjs': FRAMES })
  expect(recorded.stdout.trim().split('\n')).toEqual(['first served', 'heard', 'second served', 'heard'])
  const lines = recorded.lines().map((line) => line.replace(/ @ .*/, ''))
  const at = (start: string): number => lines.findIndex((line) => line.startsWith(start))
  for (const name of ['GET /first', 'GET /second']) {
    // Asked for, served as a task of its own, answered, heard.
    const places = [`post(http ${name})`, `post(async ${name})`, `post(reply ${name})`, `dispatch(reply ${name})`].map(at)
    expect(Math.min(...places), lines.join('\n')).toBeGreaterThan(0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
  const posts = await postsOf(FRAMES)
  const late = await replay(FRAMES, [hold(labelOf(posts, 'fs'), labelOf(posts, 'reply GET /second'))])
  expect(told(late.report), late.stderr).toBe('0 held, 0 released')
  expect(late.stdout.trim().split('\n')).toEqual(['second served', 'heard', 'first served', 'heard'])
})
