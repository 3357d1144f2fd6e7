/** Calls of a client inside the program, with a client of a few lines: what is recorded of them, and what a hold does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { withEffects } from '../../src/clients/effects.ts'
import { parseClients } from '../../src/clients/parse.ts'
import { readRequest } from '../../src/clients/read.ts'
import { firstDifference } from '../../src/confirm/first-difference.ts'
import { guideIn } from '../../src/frontends/node/guide.ts'
import { SCHEDULE_VERSION, type Delay } from '../../src/schedule/schedule.ts'
import { hold, labelOf, replay, told, words, type Post } from '../runtime-replay/replay.ts'
import { run, type Outcome } from '../runtime/program.ts'
import { POST } from '../../src/trace/ops.ts'

const CLIENTS = parseClients(`
client tiny {
  packages: "tiny"
  reader: sql(postgres)

  call Connection+.query {
    text: args[0]
    params: args[1]
    answer: callback(args[last]) | promise
    queue: this
    delay: request | answer
  }
}`)

/** Answers come from the server of the test: a file system call stands for the network. It says what gets to the server. */
const TINY = `
class Connection extends require('node:events') {
  query(text, params, callback) {
    if (typeof params === 'function') callback = params
    console.log('server: ' + text)
    const answer = new Promise((resolve) => require('node:fs').stat('/', () => {
      this.count = (this.count ?? 0) + 1
      this.emit('told', text)
      resolve('rows of ' + text)
    }))
    if (callback === undefined) return answer
    if (callback.prototype instanceof Array) return answer.then((rows) => callback.of(rows))
    answer.then((rows) => callback(null, rows))
  }
}
module.exports = { Connection }
`
const PACKAGE = { 'node_modules/tiny/index.js': TINY, 'node_modules/tiny/package.json': '{"name":"tiny","main":"index.js"}' }

function execute(source: string, delays?: readonly Delay[]): Promise<Outcome> {
  // oxlint-disable-next-line unicorn/no-thenable
  const order = { first: { label: '', nth: 1 }, then: { label: '', nth: 1 } }
  const schedule = {
    heddle: SCHEDULE_VERSION,
    command: [],
    timers: 'due',
    kind: 'delays',
    delays: delays ?? [],
    horizon: 1e6,
    expect: order,
  } as const
  return run({ 'main.cjs': source, ...PACKAGE }, { config: { clients: CLIENTS, ...(delays ? { mode: 'replay', schedule } : {}) } })
}

function posts(outcome: Outcome): Post[] {
  const trace = outcome.trace()
  return Array.from(trace.recordedOrder())
    .filter((event) => trace.op[event] === POST)
    .map((event) => ({ queue: trace.targetName(event), label: trace.tables.values.textOf(trace.value[event]!).slice(1) }))
}

const TWO = `
const { Connection } = require('tiny')
const [a, b] = [new Connection(), new Connection()]
const say = (text) => console.log('program: ' + text)
a.query('A1', [1]).then(say)
a.query('A2', (error, rows) => say(rows))
b.query('B1').then(say)
`

test('a call is an operation, with its text, and its answer is a turn; what the client does is nobody’s', async () => {
  const lines = (await execute(TWO)).lines()
  expect(lines.filter((line) => line.startsWith('post(request'))).toHaveLength(3)
  expect(lines.some((line) => line.startsWith('post(fs'))).toBe(false)
  expect(lines.filter((line) => line.startsWith('turn(tiny query)'))).toHaveLength(3)
  expect(lines).toContain('~ arg(text)="\\"A1\\""')
  expect(lines).toContain('~ arg(params)="[1]"')
  expect(lines.some((line) => line.includes('.count'))).toBe(false)
})

test('a class as last argument is no callback', async () => {
  const outcome = await execute(`const { Connection } = require('tiny')
    class Rows extends Array {}
    new Connection().query('A1', [1], Rows).then((rows) => console.log(rows instanceof Rows))`)
  expect({ code: outcome.code, said: words(outcome) }).toEqual({ code: 0, said: 'server: A1 true' })
  expect(outcome.lines().filter((line) => line.startsWith('turn(tiny query)'))).toHaveLength(1)
})

test('held at its start a request gets to the server later, and those behind it on its connection wait', async () => {
  const known = posts(await execute(TWO))
  const first = labelOf(known, 'request', 1)
  const other = labelOf(known, 'request', 3)
  const outcome = await execute(TWO, [hold(first, other, 'start')])
  expect(told(outcome.report)).toBe('0 held, 0 released')
  const said = words(outcome)
  expect(said.indexOf('program: rows of B1')).toBeLessThan(said.indexOf('server: A1'))
  expect(said.indexOf('server: A1')).toBeLessThan(said.indexOf('server: A2'))
  expect(said).toContain('program: rows of A1')
  expect(said).toContain('program: rows of A2')
})

test('held at its finish it has taken effect, and the program hears of it later', async () => {
  const known = posts(await execute(TWO))
  const outcome = await execute(TWO, [hold(labelOf(known, 'request', 1), labelOf(known, 'request', 3), 'finish')])
  const said = words(outcome)
  expect(said.indexOf('server: A1')).toBeLessThan(said.indexOf('program: rows of B1'))
  expect(said.indexOf('program: rows of B1')).toBeLessThan(said.indexOf('program: rows of A1'))
})

/** A server with one lock: whose request gets there first has it until its commit. What the first connection asks for takes a while to get there in the recorded run. */
const LOCKING = `
let holder, connections = 0
const queue = []
const later = (rounds, action) => require('node:fs').stat('/', () => rounds > 0 ? later(rounds - 1, action) : action())
class Connection {
  number = ++connections
  query(text) {
    return new Promise((resolve) => later(this.number === 1 && text.startsWith('SELECT') && process.argv[2] === 'slow' ? 100 : 0, () => {
      const take = () => { holder = this; later(0, resolve) }
      if (text.startsWith('SELECT') && holder !== undefined) return queue.push(take)
      if (text.startsWith('SELECT')) return take()
      if (text === 'COMMIT') { holder = undefined; queue.shift()?.() }
      resolve()
    }))
  }
}
module.exports = { Connection }`

test('requests that wait for each other at the server get there in the order in which they were answered', async () => {
  const source = `
    const { Connection } = require('tiny')
    for (const name of ['a', 'b']) {
      const connection = new Connection()
      const all = async () => {
        await connection.query('BEGIN')
        await connection.query('SELECT stock FROM items WHERE id = 7 FOR UPDATE')
        console.log(name)
        await connection.query('COMMIT')
      }
      all()
    }`
  expect(await agrees({ 'main.cjs': source, ...PACKAGE, 'node_modules/tiny/index.js': LOCKING })).toBe('b a')
})

/** Recorded with an argument, replayed without: both print the same and have the same turns. */
async function agrees(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-clients-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await run(files, { args: ['slow'], config: { clients: CLIENTS } })
  const { guide } = guideIn(folder, withEffects(first.trace(), CLIENTS, readRequest).trace, true)
  const second = await replay(files, [], { guide: guide!, config: { clients: CLIENTS } })
  expect(firstDifference(new LoopView(first.trace()), new LoopView(second.trace()))).toBeUndefined()
  expect(words(second)).toBe(words(first))
  return words(first)
}

test('what a client tells in one go has the places that it had one after the other', async () => {
  const telling = `
    const later = (rounds, action) => require('node:fs').stat('/', () => rounds > 0 ? later(rounds - 1, action) : action())
    class Connection extends require('node:events') {
      query() {
        const told = (n) => n <= 3 && (process.argv[2] === 'slow' ? later(200, () => (this.emit('told', n), told(n + 1))) : (this.emit('told', n), told(n + 1)))
        return new Promise((resolve) => later(0, () => { told(1); resolve() }))
      }
    }
    module.exports = { Connection }`
  const source = `
    const { Connection } = require('tiny')
    const { readFile } = require('node:fs/promises')
    const c = new Connection()
    c.on('told', async (n) => {
      console.log('told ' + n)
      await readFile(__filename)
      console.log('read ' + n)
    })
    c.query('A1')`
  expect(await agrees({ 'main.cjs': source, ...PACKAGE, 'node_modules/tiny/index.js': telling })).toBe(
    'told 1 read 1 told 2 read 2 told 3 read 3',
  )
})

test('what a client tells by itself is a turn of the program', async () => {
  const source = `
    const { Connection } = require('tiny')
    const c = new Connection()
    const seen = { n: 0 }
    c.on('told', () => setTimeout(() => console.log('heard ' + ++seen.n), 1))
    c.query('A1').then(() => console.log('answered'))`
  const outcome = await execute(source)
  expect(outcome.stdout).toContain('heard 1')
  expect(outcome.lines().filter((line) => line.startsWith('post(timer'))).toHaveLength(1)
})

test('what a client does with its connection in a call that nobody has declared is not the program’s, and the program hears of the end', async () => {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const leaving = `
    class Connection extends require('node:events') {
      constructor(port) {
        super()
        this.socket = require('node:net').connect(port, '127.0.0.1', () => this.emit('ready'))
        this.socket.resume().on('close', () => this.emit('gone'))
      }
      query() {}
      disconnect() { this.socket.end() }
    }
    module.exports = { Connection }`
  const source = `
    const { Connection } = require('tiny')
    const c = new Connection(${(server.address() as AddressInfo).port})
    c.on('ready', () => { console.log('ready'); c.disconnect() })
    c.on('gone', () => console.log('gone'))`
  const files = { 'main.cjs': source, ...PACKAGE, 'node_modules/tiny/index.js': leaving }
  expect(await agrees(files)).toBe('ready gone')
  const recorded = await run(files, { config: { clients: CLIENTS } })
  expect(posts(recorded).map(({ queue }) => queue.split(' ', 1)[0])).toEqual(['client'])
})

test('where the recorded run ended, no timer fires although the end takes longer', async () => {
  const server = createServer((socket) => socket.on('data', (ms) => void setTimeout(() => socket.end(), Number(ms)))).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const leaving = `
    class Connection extends require('node:events') {
      constructor(port) {
        super()
        this.socket = require('node:net').connect(port, '127.0.0.1', () => this.emit('ready')).resume()
      }
      query() {}
      disconnect() { this.socket.write(process.argv[2] === 'slow' ? '0' : '2500') }
    }
    module.exports = { Connection }`
  const source = `
    const { Connection } = require('tiny')
    const c = new Connection(${(server.address() as AddressInfo).port})
    c.on('ready', () => {
      console.log('ready')
      setTimeout(() => console.log('too late'), 1500).unref()
      c.disconnect()
    })`
  expect(await agrees({ 'main.cjs': source, ...PACKAGE, 'node_modules/tiny/index.js': leaving })).toBe('ready')
})

test('what a server does for a request has the same label on whichever connection it comes', async () => {
  const source = (agent: string): string => `
    const http = require('node:http')
    const agent = new http.Agent(${agent})
    const server = http.createServer((q, r) => setTimeout(() => r.end('x'), 1)).listen(0, '127.0.0.1', async () => {
      for (let i = 0; i < 2; i++)
        await new Promise((done) => http.request({ port: server.address().port, path: '/a?' + i, method: 'POST', agent }, (r) => r.resume().on('end', done)).end())
      server.close()
      agent.destroy()
    })`
  const named = async (agent: string): Promise<string[]> =>
    posts(await execute(source(agent))).flatMap(({ queue, label }) => (queue === 'async POST /a' ? [label] : []))
  const [kept, fresh] = [await named('{ keepAlive: true }'), await named('{}')]
  expect(kept).toHaveLength(2)
  expect(fresh).toEqual(kept)
})
