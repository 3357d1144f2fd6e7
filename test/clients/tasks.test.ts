/** The line of a request that a package sends later, the name of a task, and the names of requests inside it. */
import { expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { parseClients } from '../../src/clients/parse.ts'
import { POST } from '../../src/trace/ops.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'
import { run } from '../runtime/program.ts'

const CLIENTS = parseClients(`
client tiny {
  packages: "tiny"
  reader: sql(postgres)
  call Connection.query { text: args[0] answer: promise queue: this delay: request | answer }
  puts Queue.put { name: "job " args[0].name "#" answer }
  task Worker.work { name: "job " args[0].name "#" args[0].id }
}
client lists {
  packages: "lists"
  puts exports.makeAdd { of: returned name: "job " args[0] "#" answer.id }
  task exports.makeWorker { of: args[0].tasks name: "job " args[1].name "#" args[1].id }
}
client boss {
  packages: "boss"
  puts Boss.send { name: "job " args[0] "#" answer }
  task Boss.work { of: args[last] name: "job " args[0][0].name "#" args[0][0].id }
}`)

/** A pool that makes a connection when none is free, which takes another way; a query that is sent when it is awaited; a worker that calls what it was given. */
const TINY = `
const { stat } = require('node:fs')
const network = () => new Promise((done) => stat('/', done))
class Connection { async query(text) { await network(); return text } }
class Pool {
  free = []
  async acquire() {
    if (this.free.length > 0) return this.free.pop()
    await network()
    return new Connection()
  }
  async ask(text) {
    const one = await this.acquire()
    try { return await one.query(text) } finally { this.free.push(one) }
  }
}
class Query {
  constructor(pool, text) { this.pool = pool; this.text = text }
  then(ok, failed) {
    return new Promise((done) => setImmediate(() => this.pool.ask(this.text).then(done))).then(ok, failed)
  }
}
class Worker {
  constructor(action) { this.action = action }
  async run(jobs) { for (const job of jobs) { await network(); await this.work(job) } }
  work(job) { return this.action(job) }
  once(pool) { setImmediate(async () => { await this.action(); await pool.ask('DONE') }) }
}
class Queue {
  jobs = []
  async put(job) { await network(); if (job.name === '') throw new Error('no name'); this.jobs.push({ ...job, id: this.last = (this.last ?? 0) + 1 }); return this.last }
  async take() { while (this.jobs.length === 0) await network(); return this.jobs.shift() }
}
module.exports = { Pool, Query, Worker, Queue, Connection }
`
/** Functions that make functions, as CommonJS and as ES module, and a boss that is given a handler. Ids differ from run to run. */
const lists = (exported: string): string => `
const network = () => new Promise((done) => setImmediate(done))
${exported}function makeAdd(jobs) {
  return async (name) => { await network(); jobs.push({ name, id: jobs.length + 1 }); return jobs.at(-1) }
}
${exported}function makeWorker({ tasks }, jobs) {
  return (async () => { for (let n = 0; n < 2; n++) { while (jobs.length === n) await network(); await tasks[jobs[n].name]({}, jobs[n]) } })()
}
`
const BOSS = `
const { randomUUID } = require('node:crypto')
const network = () => new Promise((done) => setImmediate(done))
exports.Boss = class Boss {
  jobs = []
  async send(name) { await network(); const id = randomUUID(); this.jobs.push({ name, id }); return id }
  async work(name, handler) { for (let n = 0; n < 2; n++) { while (this.jobs.length === 0) await network(); await handler([this.jobs.shift()]) } }
}
`
const PACKAGE = {
  'node_modules/lists/index.js': `${lists('')}Object.assign(exports, { makeAdd, makeWorker })`,
  'node_modules/lists/index.mjs': lists('export '),
  'node_modules/lists/package.json': '{"name":"lists","exports":{"import":"./index.mjs","require":"./index.js"}}',
  'node_modules/boss/index.js': BOSS,
  'node_modules/boss/package.json': '{"name":"boss","main":"index.js"}',
  'node_modules/tiny/index.js': TINY,
  'node_modules/tiny/package.json': '{"name":"tiny","main":"index.js"}',
}

async function traceOf(source: string, main = 'main.cjs'): Promise<Trace> {
  const outcome = await run({ [main]: source, ...PACKAGE }, { config: { clients: CLIENTS } })
  expect(outcome.code, outcome.stderr).toBe(0)
  return outcome.trace()
}

const requestsIn = (trace: Trace): number[] =>
  Array.from(trace.recordedOrder()).filter((event) => trace.op[event] === POST && trace.targetName(event).startsWith('request'))

test('a query that is sent when it is awaited has the line of the await', async () => {
  const trace = await traceOf(`const { Pool, Query } = require('tiny')
    const pool = new Pool()
    const find = async (text) => {
      return [await new Query(pool, text)]
    }
    ;(async () => {
      await find('SELECT 1')
      await new Query(pool, 'SELECT 2')
    })()`)
  const places = requestsIn(trace).map((event) =>
    trace
      .siteName(event)
      .split(' < ')
      .find((place) => !place.includes('node_modules'))!,
  )
  expect(places.map((place) => place.split(':', 2).join(':'))).toEqual(['main.cjs:4', 'main.cjs:8'])
})

test('what a package asks for after it has called the program has no line of the program', async () => {
  const trace = await traceOf(`const { Pool, Query, Worker } = require('tiny')
    const pool = new Pool()
    new Worker(async () => {
      await new Query(pool, 'SELECT 1')
    }).once(pool)`)
  expect(
    requestsIn(trace).map(
      (event) =>
        trace
          .siteName(event)
          .split(' < ')
          .filter((place) => !place.includes('node_modules')).length,
    ),
  ).toEqual([1, 0])
})

const JOBS = `const { Pool, Query, Worker } = require('tiny')
  const pool = new Pool()
  const worker = new Worker(async (job) => { await new Query(pool, 'SELECT ' + job.id); await new Query(pool, 'SELECT 7') })`

test('a job is a task with a name', async () => {
  const trace = await traceOf(`${JOBS}; worker.run([{ name: 'mail', id: 3 }, { name: 'mail', id: 4 }])`)
  const view = new LoopView(trace)
  const tasks = requestsIn(trace).map((event) => {
    const op = view.findOp(trace.tables.values.textOf(trace.value[event]!).slice(1))
    return view.chainName(view.namedChain(view.opChain[op]!))
  })
  expect(tasks).toEqual(['job mail#3', 'job mail#3', 'job mail#4', 'job mail#4'])
})

test('a job comes after who put it into its queue, and not after the job that its worker did before', async () => {
  const trace = await traceOf(`${JOBS}
    const queue = new (require('tiny').Queue)(), put = async () => { await queue.put({ name: 'mail' }) }
    ;(async () => { for (const nth of [1, 2]) { const job = await queue.take(); await network(); await worker.work(job) } })()
    ${'const network = () => new Promise((done) => require("node:fs").stat("/", done))'}
    put(); setTimeout(put, 200)`)
  const view = new LoopView(trace)
  const jobs = Array.from({ length: view.opCount }, (_, op) => op).filter((op) => view.queueOf(op) === 'job')
  const [first, second] = jobs.map((op) => view.opTurn[op]!) as [number, number]
  expect([view.before(first, second), view.before(view.opPostTurn[jobs[1]!]!, second)]).toEqual([false, true])
  expect(view.nameOf(view.opPostTurn[jobs[1]!]!)).toBe('timer 200 ms')
})

/** What the tasks are called, and in which turns jobs were put into their queue if somebody took them from there. */
function jobsOf(trace: Trace): string[] {
  const view = new LoopView(trace)
  const ops = Array.from({ length: view.opCount }, (_, op) => op)
  const named = ops.map((op) => view.namedChain(view.opChain[op]!)).filter((chain) => chain !== NONE)
  const tasks = new Set(named.map((chain) => view.chainName(chain)).filter((name) => name.startsWith('job ')))
  const taken = ops.filter((op) => view.queueOf(op) === 'job' && view.opTurn[op] !== NONE)
  return [...tasks, ...taken.map((op) => `from ${view.nameOf(view.opPostTurn[op]!)}`)]
}

test.each([
  ['main.cjs', `const { makeAdd, makeWorker } = require('lists')`],
  ['main.mjs', `import { makeAdd, makeWorker } from 'lists'`],
])('functions that functions of a package make or are given are puts and tasks, in %s', async (main, from) => {
  const trace = await traceOf(
    `${from}
    const jobs = [], add = makeAdd(jobs)
    makeWorker({ tasks: { mail: async () => void setTimeout(() => {}, 1) } }, jobs)
    setTimeout(() => add('mail'), 20); setTimeout(() => add('mail'), 40)`,
    main,
  )
  expect(jobsOf(trace)).toEqual(['job mail#1', 'job mail#2', 'from timer 20 ms', 'from timer 40 ms'])
})

test('a handler that a method is given is a task; an id that differs from run to run is not in its name', async () => {
  const trace = await traceOf(`const { Boss } = require('boss')
    const boss = new Boss()
    boss.work('mail', async () => void setTimeout(() => {}, 1))
    setTimeout(() => boss.send('mail'), 20); setTimeout(() => boss.send('mail'), 40)`)
  expect(jobsOf(trace)).toEqual(['job mail', 'job mail (2nd)', 'from timer 20 ms', 'from timer 40 ms'])
})

test('who hears of the answer to a put does not handle its rejection', async () => {
  const ends = async (rest: string): Promise<string> => {
    const source = `const queue = new (require('tiny').Queue)(); const put = () => queue.put({ name: '' }); ${rest}`
    const { code, stdout, stderr } = await run({ 'main.cjs': source, ...PACKAGE }, { config: { clients: CLIENTS } })
    return `${code} ${stdout.trim()}${/Error: no name/.exec(stderr)?.[0] ?? ''}`
  }
  expect(await ends(`put(); setTimeout(() => console.log('goes on'), 300)`)).toBe('1 Error: no name')
  expect(await ends(`put().catch(() => console.log('caught'))`)).toBe('0 caught')
  expect(await ends(`(async () => { try { await put() } catch { console.log('caught') } })()`)).toBe('0 caught')
})

test('inside a task a request has the same label whether its pool had a connection or made one', async () => {
  const labels = async (before: string): Promise<string[]> => {
    const trace = await traceOf(`${JOBS}; (async () => { ${before} await worker.run([{ name: 'mail', id: 3 }]) })()`)
    return requestsIn(trace)
      .map((event) => trace.tables.values.textOf(trace.value[event]!))
      .slice(-2)
  }
  expect(await labels(`await new Query(pool, 'SELECT 0');`)).toEqual(await labels(''))
})
