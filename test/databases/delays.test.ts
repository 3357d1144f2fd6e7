/** What a delay of a request means (docs/event-loop.md, "Requests to servers"), each shown by a program against a real server. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { allClients } from '../../src/clients/open.ts'
import { POST } from '../../src/trace/ops.ts'
import { hold, labelOf, replay, told, type Post } from '../runtime-replay/replay.ts'
import { run } from '../runtime/program.ts'
import { serverEnv } from '../servers/ask.ts'
import { cannotStart } from '../servers/kinds.ts'
import { ownDatabases } from '../servers/own.ts'
import { installApps, MODULES } from './apps.ts'

/** The first databases are for whoever has no number; applications begin at ten. */
const NTH = 5
const CONFIG = { config: { clients: allClients() } }

let env: Readonly<Record<string, string>>
async function program(source: string): Promise<string> {
  env ??= ownDatabases(await serverEnv('postgres', 'redis'), NTH)
  const from = (name: string): string => `require(${JSON.stringify(join(MODULES, 'node_modules', name))})`
  return `
    Object.assign(process.env, ${JSON.stringify(env)})
    const say = (...words) => console.log(words.join(' ') + '.')
    const pg = ${from('pg')}, { createClient } = ${from('redis')}
    ;(async () => {${source}})()`
}

async function requestsOf(source: string): Promise<Post[]> {
  const trace = (await run({ 'main.cjs': source }, CONFIG)).trace()
  return Array.from(trace.recordedOrder())
    .filter((event) => trace.op[event] === POST)
    .map((event) => ({ queue: trace.targetName(event), label: trace.tables.values.textOf(trace.value[event]!).slice(1) }))
    .filter(({ queue }) => queue.startsWith('request'))
}

/** What it says when the nth request is late until the other one has been answered. */
async function said(text: string, at: 'start' | 'finish', nth: number, until: number): Promise<string[]> {
  const source = await program(text)
  const known = await requestsOf(source)
  const outcome = await replay(source, [hold(labelOf(known, 'request', nth), labelOf(known, 'request', until), at)], CONFIG)
  expect(told(outcome.report), outcome.stderr).toBe('0 held, 0 released')
  return outcome.stdout.trim().split('\n')
}

const TABLE = `DROP TABLE IF EXISTS n; CREATE TABLE n AS SELECT 0 AS v`
/** Two connections: requests 1 and 2 open them, 3 makes the table. */
const TWO = `
  const [a, b] = [new pg.Client(), new pg.Client()]
  await a.connect()
  await b.connect()
  await a.query('${TABLE}')`
const END = `
  await a.end()
  await b.end()`

const cannot = cannotStart('postgres', 'redis')
describe.skipIf(cannot !== '')(`a delay ${cannot}`, () => {
  beforeAll(installApps)

  test('of a request: it takes effect later, and what is behind it on its connection waits, too', async () => {
    const text = `${TWO}
      const late = a.query('UPDATE n SET v = 1').then(() => say('updated'))
      const other = b.query('SELECT v FROM n').then(({ rows }) => say('the other connection sees', rows[0].v))
      const behind = a.query('SELECT v FROM n').then(({ rows }) => say('behind it', rows[0].v))
      await Promise.all([late, other, behind])${END}`
    expect(await said(text, 'start', 4, 5)).toEqual(['the other connection sees 0.', 'updated.', 'behind it 1.'])
  })

  test('of an answer: the effect is there, the program learns of it later', async () => {
    // The server itself waits for the effect: no clock of ours says when it is there.
    const seen = 'DO $$ BEGIN WHILE (SELECT v FROM n) = 0 LOOP PERFORM pg_sleep(0.01); END LOOP; END $$'
    const text = `${TWO}
      const late = a.query('UPDATE n SET v = 1').then(() => say('updated'))
      await b.query('${seen}')
      const { rows } = await b.query('SELECT v FROM n')
      say('the other connection sees', rows[0].v)
      await late${END}`
    expect(await said(text, 'finish', 4, 6)).toEqual(['the other connection sees 1.', 'updated.'])
  })

  test('of a request of a pool: others do not wait, they get another connection', async () => {
    const text = `
      const pool = new pg.Pool({ max: 2 })
      await pool.query('${TABLE}')
      const late = pool.query('UPDATE n SET v = 1').then(() => say('updated'))
      const other = pool.query('SELECT v FROM n').then(({ rows }) => say('another connection sees', rows[0].v))
      await Promise.all([late, other])
      await pool.end()`
    expect(await said(text, 'start', 2, 3)).toEqual(['another connection sees 0.', 'updated.'])
  })

  test('of a request of a pipeline: all behind it on the connection wait, another connection does not', async () => {
    const text = `
      const [a, b] = [createClient({ url: process.env.REDIS_URL }), createClient({ url: process.env.REDIS_URL })]
      await a.connect()
      await b.connect()
      await a.set('n', '0')
      await b.ping()
      const all = [
        a.incr('n').then((n) => say('first', n)),
        a.incr('n').then((n) => say('second', n)),
        b.get('n').then((n) => say('the other connection sees', n)),
      ]
      await Promise.all(all)
      await a.close()
      await b.close()`
    const source = await program(text)
    const known = await requestsOf(source)
    // The last two close the connections.
    const [first, , other] = known.slice(-5).map(({ label }) => label)
    const outcome = await replay(source, [hold(first!, other!, 'start')], CONFIG)
    expect(told(outcome.report), outcome.stderr).toBe('0 held, 0 released')
    expect(outcome.stdout.trim().split('\n')).toEqual(['the other connection sees 0.', 'first 1.', 'second 2.'])
  })
})
