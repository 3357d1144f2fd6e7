/** From requests in a trace to their effects: rows, locks, transactions; and what the deciders say about two tasks that meet there. */
import { expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { withEffects } from '../../src/clients/effects.ts'
import { lockOrder } from '../../src/clients/lock-order.ts'
import { allClients } from '../../src/clients/open.ts'
import { readRequest } from '../../src/clients/read.ts'
import { CoverageRow } from '../../src/coverage.ts'
import { predictLoop } from '../../src/predict/loop/predict.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { ARGUMENT, CALL, CHAIN, DISPATCH, POST, TURN_BEGIN, TURN_END } from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { checkRun } from '../../src/witness/loop/check.ts'

interface Request {
  readonly lane: number
  readonly text: string
  readonly params?: readonly unknown[]
  readonly client?: string
  readonly returns?: unknown
  /** Its line, where two requests have the same. */
  readonly line?: string
}

const query = (lane: number, text: string, ...params: unknown[]): Request => ({ lane, text, params })
const command = (text: string, ...params: unknown[]): Request => ({ lane: 1, text, params, client: 'ioredis.sendCommand', returns: 'OK' })

/** Flows that each make one request after the other; the second begins when a timer calls. They run one after the other. */
function recorded(...flows: readonly (readonly Request[])[]): Trace {
  const b = new TraceBuilder()
  const [loop, outside] = [b.task('loop'), b.task('off-loop')]
  let time = 0
  const turn = (name: string): void => b.add(loop, TURN_BEGIN, b.names.intern(name), b.values.codeOf((time += 100)))
  const label = (id: string): number => b.values.codeOf({ object: id })
  const post = (queue: string, id: string, site: string): void => b.add(loop, POST, b.queues.intern(queue), label(id), b.sites.intern(site))
  const begin = (name: string, queue: string, id: string): void => {
    b.add(loop, TURN_END, b.names.intern('before'))
    turn(name)
    b.add(loop, DISPATCH, b.queues.intern(queue), label(id))
    b.add(loop, CHAIN, b.names.intern(id))
  }
  const site = (flow: number, n: number): string => `app.js:${10 * flow + n + 1}:1 f`
  const queueOf = ({ lane }: Request): string => (lane === 0 ? 'request' : `request ${lane}`)
  turn('main')
  b.add(loop, CHAIN, b.names.intern('main'))
  flows.forEach((_, f) => post(`timer ${f + 1}`, `t${f}`, 'app.js:1:1'))
  flows.forEach((requests, f) => {
    begin(`timer ${f + 1} ms`, `timer ${f + 1}`, `t${f}`)
    requests.forEach((request, n) => {
      const id = `r${f}-${n}`
      const line = request.line ?? site(f, n)
      post(queueOf(request), id, line)
      b.add(outside, TURN_BEGIN, b.names.intern(id))
      b.add(outside, CALL, b.names.intern(request.client ?? 'pg.query'), b.values.codeOf(request.lane), b.sites.intern(line))
      const operand = (name: string, value: unknown): void =>
        b.add(outside, ARGUMENT, b.names.intern(name), b.values.codeOf(JSON.stringify(value)))
      operand('text', request.text)
      operand('params', request.params ?? [])
      if (request.returns !== undefined) operand('returns', request.returns)
      b.add(outside, TURN_END, b.names.intern(id))
      begin('answer', queueOf(request), id)
    })
  })
  b.add(loop, TURN_END, b.names.intern('answer'))
  return b.finish({ order: 'global' })
}

function decided(...flows: readonly (readonly Request[])[]): { readonly found: string[]; readonly infeasible: Record<string, number> } {
  const { trace } = withEffects(recorded(...flows), allClients(), readRequest)
  const view = new LoopView(trace)
  expect(checkRun(view, 'due')).toBeUndefined()
  const coverage = new CoverageRow('turns')
  const found = [...predictLoop(view, { command: ['x'], timers: 'due', coverage })]
  return { found: found.map(({ pattern, locations }) => `${pattern} on ${locations[0]}`), infeasible: coverage.infeasible }
}

const read = (lane: number, more = ''): Request => query(lane, `SELECT stock FROM items WHERE id = $1${more}`, 7)
const write = (lane: number): Request => query(lane, 'UPDATE items SET stock = $1 WHERE id = $2', 4, 7)
const within = (lane: number, begin: string, ...all: readonly Request[]): Request[] => [query(lane, begin), ...all, query(lane, 'COMMIT')]

test('requests become reads and writes of rows, at the line of the program', () => {
  const { trace, requests, unread } = withEffects(recorded([read(0), write(0), query(0, 'SOMETHING ELSE')]), allClients(), readRequest)
  expect({ requests, unread }).toEqual({ requests: 3, unread: 1 })
  const rows = Array.from({ length: trace.eventCount }, (_, e) => `${trace.eventText(e)} ${trace.siteName(e)}`)
  expect(rows).toContain('r(items[id=7].stock) app.js:1:1 f')
  expect(rows).toContain('w(items[id=7].stock) app.js:2:1 f')
  expect(rows).toContain('w(items[*]) app.js:2:1 f')
  expect(rows.filter((row) => row.includes('(database)')).length).toBeGreaterThan(0)
  expect(rows.filter((row) => row.startsWith('turn(query SELECT stock'))).toHaveLength(1)
})

test('two flows that read a row and then write it lose an update', () => {
  expect(decided([read(0), write(0)], [read(0), write(0)]).found).toContain('lost update on items[id=7].stock')
})

test('other rows and other fields do not conflict', () => {
  const other = [query(0, 'SELECT stock FROM items WHERE id = $1', 8), query(0, 'UPDATE items SET name = $1 WHERE id = $2', 'x', 7)]
  expect(decided([read(0), write(0)], other).found).toEqual([])
})

test('a change of a row is seen by those who look for rows by another column, or at a field of the whole table', () => {
  const open = query(0, "SELECT id FROM invoices WHERE state = 'open'")
  const sent = query(0, "UPDATE invoices SET state = 'sent' WHERE id = $1", 1)
  expect(decided([open, sent], [open]).found).toEqual(['lost update on invoices[state=open].id'])
  const last = query(0, 'SELECT max(number) AS last FROM orders')
  const place = query(0, 'INSERT INTO orders (number) VALUES ($1)', 1001)
  expect(decided([last, place], [last]).found).toEqual(['check-then-act on orders.number'])
})

test('on one connection the answer of the check is late, not the act: what comes behind a late request waits for it', () => {
  const [get, set, count] = [command('get', 'lock'), command('set', 'lock', 1), command('incr', 'n')]
  const { trace } = withEffects(recorded([get, set, count], [get]), allClients(), readRequest)
  const found = [...predictLoop(new LoopView(trace), { command: ['x'], timers: 'due' })].filter(
    ({ locations }) => locations[0] === 'key lock',
  )
  expect(found.map(({ kind, schedule }) => [kind, ...schedule.delays.map((delay) => delay.do === 'hold' && delay.at)])).toEqual([
    ['atomicity', 'finish'],
  ])
})

test('one statement that looks and changes is no lost update', () => {
  const take = query(0, 'UPDATE items SET stock = stock - 1 WHERE id = $1 AND stock > 0', 7)
  const { found, infeasible } = decided([take], [take])
  expect(found).toEqual([])
  expect(infeasible['one statement']).toBeGreaterThan(0)
})

test('a transaction alone does not help, FOR UPDATE does', () => {
  const plain = (lane: number): Request[] => within(lane, 'BEGIN', read(lane), write(lane))
  expect(decided(plain(1), plain(2)).found).toContain('lost update on items[id=7].stock')
  const locked = (lane: number): Request[] => within(lane, 'BEGIN', read(lane, ' FOR UPDATE'), write(lane))
  const { found, infeasible } = decided(locked(1), locked(2))
  expect(found.filter((one) => one.startsWith('lost update'))).toEqual([])
  expect(infeasible['row lock']).toBeGreaterThan(0)
  // The pool gave both the same connection.
  expect(decided(locked(1), locked(1)).infeasible['row lock']).toBeGreaterThan(0)
})

test('PostgreSQL refuses the second writer of a snapshot', () => {
  const snapshot = (lane: number): Request[] => within(lane, 'BEGIN ISOLATION LEVEL REPEATABLE READ', read(lane), write(lane))
  const { found, infeasible } = decided(snapshot(1), snapshot(2))
  expect(found.filter((one) => one.startsWith('lost update'))).toEqual([])
  expect(infeasible['snapshot']).toBeGreaterThan(0)
})

test('what is rolled back nobody sees', () => {
  const undone = [query(1, 'BEGIN'), read(1), write(1), query(1, 'ROLLBACK')]
  expect(decided(undone, [read(2)]).found).toEqual([])
})

test('advisory locks exclude', () => {
  const locked = (lane: number): Request[] =>
    within(lane, 'BEGIN', query(lane, 'SELECT pg_advisory_xact_lock($1)', 1), read(lane), write(lane))
  expect(decided(locked(1), locked(2)).infeasible['lock']).toBeGreaterThan(0)
})

test('who tries to get an advisory lock has it if the answer says so', () => {
  const tried = (lane: number, got: boolean): Request[] => [
    { ...query(lane, 'SELECT pg_try_advisory_lock($1)', 1), returns: got },
    read(lane),
    write(lane),
    query(lane, 'SELECT pg_advisory_unlock($1)', 1),
  ]
  const { found, infeasible } = decided(tried(1, true), tried(2, true))
  expect(found).not.toContain('lost update on items[id=7].stock')
  expect(infeasible['lock']).toBeGreaterThan(0)
  // A pool gave both the same connection, one after the other.
  expect(decided(tried(1, true), tried(1, true)).infeasible['lock']).toBeGreaterThan(0)
  expect(decided(tried(1, true), tried(2, false)).found).toContain('lost update on items[id=7].stock')
})

test('serializable transactions do not notice each other, also where one only looks', () => {
  const serial = (lane: number, ...all: Request[]): Request[] => within(lane, 'BEGIN ISOLATION LEVEL SERIALIZABLE', ...all)
  const { found, infeasible } = decided(serial(1, read(1), write(1)), serial(2, read(2)))
  expect(found).toEqual([])
  expect(infeasible['snapshot']).toBeGreaterThan(0)
  // The other one is not serializable.
  expect(decided(serial(1, read(1), write(1)), [read(2)]).found).not.toEqual([])
})

test('rows that SKIP LOCKED leaves out are those of others', () => {
  const take = (lane: number, more: string): Request[] =>
    within(
      lane,
      'BEGIN',
      query(lane, `SELECT id FROM jobs WHERE state = 'new' LIMIT 1${more}`),
      query(lane, "UPDATE jobs SET state = 'done' WHERE id = $1", lane),
    )
  expect(decided(take(1, ''), take(2, '')).found).toContain('lost update on jobs[state=new].id')
  const { found, infeasible } = decided(take(1, ' FOR UPDATE SKIP LOCKED'), take(2, ' FOR UPDATE SKIP LOCKED'))
  // One worker after the other, in either order.
  expect(found).toEqual(['read order on jobs[state=new].id'])
  expect(infeasible['row lock']).toBeGreaterThan(0)
})

test('a statement that looks at its table and inserts into it is one step', () => {
  const reserve = query(0, 'INSERT INTO files SELECT $1, $2 WHERE (SELECT sum(size) FROM files WHERE owner = $3) < 10', 'a', 300, 1)
  expect(decided([reserve], [reserve]).infeasible['one statement']).toBeGreaterThan(0)
})

test('a set that was looked at before it is changed in one step is not protected from a row that comes between', () => {
  const table = query(0, 'CREATE TABLE outbox (id serial PRIMARY KEY, text text, sent boolean)')
  const add = query(0, 'INSERT INTO outbox (text) VALUES ($1)', 'two')
  const look = query(0, 'SELECT text FROM outbox WHERE NOT sent')
  const mark = query(0, 'UPDATE outbox SET sent = true WHERE NOT sent')
  expect(decided([table, look, mark], [add]).found).toContain('stale read on outbox')
  const { found, infeasible } = decided([table, { ...mark, text: `${mark.text} RETURNING text` }], [add])
  // Only that the table may not be there yet.
  expect(found).toEqual(['use before initialisation on outbox'])
  expect(infeasible['one statement']).toBeGreaterThan(0)
})

test('a loop over rows that change meanwhile is a dirty iteration, unless it sees a snapshot', () => {
  const page = (lane: number): Request => ({ ...query(lane, 'SELECT name FROM subscribers ORDER BY id LIMIT 2'), line: 'app.js:99:1 f' })
  const end = query(0, 'DELETE FROM subscribers WHERE id = 1')
  expect(decided([page(0), page(0)], [end]).found).toContain('dirty iteration on subscribers.name')
  const snapshot = within(1, 'BEGIN ISOLATION LEVEL REPEATABLE READ', page(1), page(1))
  const { found, infeasible } = decided(snapshot, [end])
  expect(found.filter((one) => one.startsWith('dirty'))).toEqual([])
  expect(infeasible['snapshot']).toBeGreaterThan(0)
})

test('an act that checks what it relies on is protected, one that does not is not', () => {
  const [look, guarded] = [read(0), query(0, 'UPDATE items SET stock = $1 WHERE id = $2 AND stock > 0', 4, 7)]
  const same = { ...look, line: 'app.js:99:1 f' }
  const { found, infeasible } = decided([same, guarded], [same])
  expect(found).toEqual([])
  expect(infeasible['one statement']).toBeGreaterThan(0)
  expect(decided([same, write(0)], [same]).found).toContain('lost update on items[id=7].stock')
  // Whether the key is there is not what it holds.
  const saved = command('set', 'session', 'a', 'XX')
  expect(decided([command('get', 'session'), saved], [command('del', 'session')]).found).toEqual([])
  expect(decided([command('get', 'session'), saved], [command('set', 'session', 'b')]).found).not.toEqual([])
})

test('what EXEC carries out is one step, with the reads; refused, it is nothing', () => {
  const drain = [command('multi'), command('lrange', 'inbox', 0, -1), command('del', 'inbox'), command('exec')]
  const { found, infeasible } = decided(drain, [command('rpush', 'inbox', 'two')])
  expect(found).toEqual([])
  expect(infeasible['one statement']).toBeGreaterThan(0)
  const refused = [command('multi'), command('set', 'cart', 1), { ...command('exec'), returns: null }]
  expect(decided(refused, [command('get', 'cart')]).found).toEqual([])
})

test('a key that is watched until EXEC: the other change is refused, whether a pool gave both the same connection or not', () => {
  const flow = (lane: number): Request[] =>
    ['WATCH', 'GET', 'MULTI', 'SET', 'EXEC'].map((name) => ({
      ...command(name, ...(name === 'SET' ? ['a', '1'] : name === 'WATCH' || name === 'GET' ? ['a'] : [])),
      lane,
      returns: name === 'EXEC' ? undefined : 'OK',
    }))
  for (const second of [1, 2]) {
    const { found, infeasible } = decided(flow(1), flow(second))
    expect(found).toEqual([])
    expect(infeasible['snapshot']).toBeGreaterThan(0)
  }
})

test('keys of Redis: a lost update, INCR, and a lock made of a key', () => {
  const [get, set] = [command('get', 'cart'), command('set', 'cart', 1)]
  expect(decided([get, set], [get, set]).found).toContain('lost update on key cart')
  const add = command('incrby', 'cart', 1)
  expect(decided([add], [add]).found).toEqual([])
  const locked = [command('set', 'lock', 'x', 'NX'), get, set, command('del', 'lock')]
  const { found, infeasible } = decided(locked, locked)
  expect(found.filter((one) => one.endsWith('key cart'))).toEqual([])
  expect(infeasible['lock']).toBeGreaterThan(0)
})

test('the order in which requests of different connections took a lock is that of their answers', () => {
  const lock = (lane: number, id: number): Request => query(lane, 'SELECT stock FROM items WHERE id = $1 FOR UPDATE', id)
  const all = (lane: number): Request => query(lane, 'SELECT * FROM items WHERE id = ANY($1) FOR UPDATE', [7, 8])
  const flows = [within(1, 'BEGIN', lock(1, 7), write(1)), within(2, 'BEGIN', lock(2, 8)), within(3, 'BEGIN', all(3)), [write(4)]]
  const { trace } = withEffects(recorded(...flows), allClients(), readRequest)
  expect(Object.fromEntries(lockOrder(trace))).toEqual({ 'r2-1': 'r1-1', 'r3-0': 'r2-1' })
})

test('rows that the program asks for come before those of a queue, and before statements that nobody could read', () => {
  const of = 'node_modules/pg-boss/src/manager.js:1:1 fetch < app.js:7:1 put'
  const first = (...own: Request[]): string => {
    const flow = (line: string): Request[] => [
      ...own,
      { ...query(0, 'SELECT stock FROM items WHERE id = 7'), line: `${line}1:1` },
      { ...query(0, 'UPDATE items SET stock = 3 WHERE id = 7'), line: `${line}2:1` },
    ]
    const { trace } = withEffects(recorded(flow('app.js:3'), flow('app.js:4')), allClients(), readRequest)
    const [best] = predictLoop(new LoopView(trace), { timers: 'due', command: ['node', 'app.js'] })
    return best!.locations[0]!
  }
  const look = { ...query(0, 'SELECT state FROM jobs WHERE id = 1'), line: of }
  const take = { ...query(0, "UPDATE jobs SET state = 'done' WHERE id = 1"), line: of }
  expect(first(look, take)).toBe('items[id=7].stock')
  expect(first({ ...query(0, 'SELECT tidy_up()'), line: 'app.js:9:1' })).toBe('items[id=7].stock')
})

test('who takes an item of a queue, and when, is no finding: each is taken by one', () => {
  const on = (lane: number, text: string, ...params: unknown[]): Request => ({ ...command(text, ...params), lane })
  const consumer = (lane: number): Request[] => {
    const next = on(lane, 'XREADGROUP', 'GROUP', 'g', `c${lane}`, 'BLOCK', '0', 'STREAMS', 'orders', '>')
    return [next, on(4, 'GET', 'done:7'), on(4, 'SET', 'done:7', 'yes'), next]
  }
  const { found, infeasible } = decided(consumer(2), consumer(3), [on(5, 'XADD', 'orders', '*', 'order', '7')])
  expect(found.filter((one) => one.includes('orders'))).toEqual([])
  expect(found.some((one) => one.endsWith('key done:7'))).toBe(true)
  expect(infeasible['one statement']).toBeGreaterThan(0)
  // Who looks how many there are and then adds one is not protected.
  const look = (lane: number): Request[] => [on(lane, 'XLEN', 'orders'), on(lane, 'XADD', 'orders', '*', 'order', '7')]
  expect(decided(look(2), look(3)).found[0]).toMatch(/on key orders$/)
})
