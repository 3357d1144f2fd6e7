/** Client files: what they say, and what is wrong with them. */
import { expect, test } from 'vitest'
import { LAST } from '../../src/clients/client.ts'
import { libraryClients } from '../../src/clients/open.ts'
import { parseClients } from '../../src/clients/parse.ts'

const WHOLE = `
// A comment.
client shop {
  says "The shop"
  packages: "shop" | "@shop/core"
  reader: sql(mysql)
  call Connection+.query {
    text: args[0] | args[0].sql | this.source
    params: args[1] | args
    answer: callback(args[last]) | settle(args[1], args[2]) | events(args[0], "end") | events("end", "error") | promise(args[0].promise) | promise
    queue: this
    delay: request | answer
  }
  call Statement.run { text: this.source answer: returned }
}`

test('a file says which calls there are and where everything stands in them', () => {
  const [client] = parseClients(WHOLE)
  expect(client).toMatchObject({
    name: 'shop',
    says: 'The shop',
    packages: ['shop', '@shop/core'],
    reader: { kind: 'sql', dialect: 'mysql' },
  })
  const [query, run] = client!.calls
  expect(query).toEqual({
    class: 'Connection',
    below: true,
    method: 'query',
    text: [
      { from: 'args', steps: [0] },
      { from: 'args', steps: [0, 'sql'] },
      { from: 'this', steps: ['source'] },
    ],
    params: [
      { from: 'args', steps: [1] },
      { from: 'args', steps: [] },
    ],
    answer: [
      { kind: 'callback', at: { from: 'args', steps: [LAST] } },
      { kind: 'settle', at: { from: 'args', steps: [1] }, failed: { from: 'args', steps: [2] } },
      { kind: 'events', at: { from: 'args', steps: [0] }, events: ['end'] },
      { kind: 'events', events: ['end', 'error'] },
      { kind: 'promise', at: { from: 'args', steps: [0, 'promise'] } },
      { kind: 'promise' },
    ],
    queue: { from: 'this', steps: [] },
    delay: ['request', 'answer'],
  })
  expect(run).toMatchObject({ class: 'Statement', below: false, method: 'run', answer: [{ kind: 'returned' }], delay: [] })
})

const faults = (text: string): string[] => {
  try {
    parseClients(text, 'f')
    return []
  } catch (error) {
    return (error as { report: string[] }).report.map((lines) => lines.split('\n')[0]!)
  }
}

test('what is wrong is said with its place and a remedy', () => {
  expect(faults('client a { pakages: "x" }')).toEqual(['f:1:12: "pakages" is no line of a client. Did you mean packages?'])
  expect(faults('client a { packages: "x" reader: sql(oracle) }')).toEqual([
    'f:1:38: "oracle" is no dialect. Known: postgres, mysql, sqlite',
  ])
  expect(faults('client a {')).toEqual([
    'f:1:11: Expected says, packages, reader, call, task, puts or }, found the end of the text. docs/clients.md has the grammar',
  ])
  expect(faults('client a { packages: "x" reader: redis call A.b { text: foo } }')).toEqual([
    'f:1:57: Expected a path, as in args[0].text or this.source, found foo. docs/clients.md has the grammar',
  ])
  expect(
    faults('client a { packages: "x" reader: redis call A.b { answer: returned delay: request text: args[0] text: args[1] } }'),
  ).toEqual([
    'f:1:45: A call whose answer is there when it returns cannot be delayed. Leave delay: out',
    'f:1:97: text was said already. Keep one of them',
  ])
  expect(faults('client a { }')).toEqual([
    'f:1:1: Client a does not say which packages have it. Write packages: "pg"',
    'f:1:1: Client a does not say how its statements are read. Write reader: sql(postgres)',
    'f:1:1: Client a does not say which calls talk to the server. Write call Client+.query { … }',
  ])
  expect(faults(`${WHOLE}${WHOLE}`)).toEqual(['f:17:1: There are two clients "shop". Give each a name of its own'])
  expect(faults('property P() { }')[0]).toMatch(/^f:1:1: Expected client, found property/)
})

test('the files that ship are read, one client each', () => {
  expect(libraryClients().map(({ name }) => name)).toEqual([
    'better-sqlite3.client',
    'bullmq.client',
    'graphile-worker.client',
    'ioredis.client',
    'level.client',
    'mariadb.client',
    'mongodb.client',
    'mysql2.client',
    'node-sqlite.client',
    'pg-boss.client',
    'pg.client',
    'redis.client',
  ])
  for (const { clients } of libraryClients()) expect(clients).toHaveLength(1)
})

test('a package with tasks needs no reader; a task has a name', () => {
  expect(parseClients('client jobs { packages: "jobs" task Worker+.work { name: "job " args[0].id } }')).toMatchObject([
    { calls: [], tasks: [{ class: 'Worker', below: true, method: 'work', name: ['job ', { from: 'args', steps: [0, 'id'] }] }] },
  ])
  expect(() => parseClients('client jobs { packages: "jobs" task Worker.work { } }')).toThrow()
  expect(() => parseClients('client jobs { packages: "jobs" task Worker.work { name: } }')).toThrow()
})

test('a task may be a function that a call is given, a put one that it returns; functions that a module exports are calls, too', () => {
  const [client] = parseClients(`client jobs {
    packages: "jobs"
    puts exports.adder { of: returned name: "job " args[0] "#" answer.id }
    task Boss+.work { of: args[last] name: "job " args[0][0].id }
  }`)
  expect(client!.puts).toEqual([
    {
      class: 'exports',
      below: false,
      method: 'adder',
      of: 'returned',
      name: ['job ', { from: 'args', steps: [0] }, '#', { from: 'answer', steps: ['id'] }],
    },
  ])
  expect(client!.tasks).toMatchObject([{ class: 'Boss', of: { from: 'args', steps: [-1] }, name: ['job ', { steps: [0, 0, 'id'] }] }])
  expect(() => parseClients('client jobs { packages: "jobs" puts A.b { of: args[0] name: answer } }')).toThrow()
  expect(() => parseClients('client jobs { packages: "jobs" task A.b { of: args[0] } }')).toThrow()
})
