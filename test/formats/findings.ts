/** Findings of every kind, status and way to fail, made up, and a whole check with hostile names: what reports are tested with. */
import type { OrderRow } from '../../src/schedule/order.ts'
import { documentOf, type CheckDocument, type FindingDocument } from '../../src/report/document.ts'
import type { Finding, Status } from '../../src/confirm/confirm.ts'
import type { Failure } from '../../src/confirm/outcome.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { finding, prediction, result } from '../check/fixture.ts'

export const STATUSES: readonly Status[] = ['FAILED', 'REPRODUCED', 'PREDICTED', 'DIVERGED', 'NOT REACHED', 'TIMED OUT']

const row = (chain: string, access: string, location: string, site: string, value?: string): OrderRow => ({
  turn: { label: `${chain} ${site}`, nth: 1 },
  name: chain,
  chain,
  offLoop: false,
  posted: `${site} < shop.js:2:1 main`,
  at: 0,
  accesses: [{ access, location, site, ...(value === undefined ? {} : { value }) }],
})

const both = (a: OrderRow, b: OrderRow): Pick<Saved, 'observed' | 'failing'> => ({ observed: [a, b], failing: [b, a] })

export const KINDS: Readonly<Record<string, Saved>> = {
  atomicity: prediction({ fingerprint: 'a70a1c1700000000' }),
  'order-violation': prediction({
    fingerprint: '0dde500000000000',
    kind: 'order-violation',
    pattern: 'use before initialisation',
    summary: 'config can be used before it is set.',
    sites: ['src/app.js:40:3 serve', 'src/config.js:8:5 load'],
    locations: ['config'],
    ...both(
      row('fs.readFile', 'write', 'config', 'src/config.js:8:5 load', '{}'),
      row('net.connect', 'read', 'config', 'src/app.js:40:3 serve', 'undefined'),
    ),
    why: ['Nothing makes net.connect (src/app.js:40 serve) wait for fs.readFile (src/config.js:8 load).'],
  }),
  'data-race': prediction({
    fingerprint: 'da7a0ace00000000',
    kind: 'data-race',
    pattern: 'data race',
    summary: 'worker 1 can read main#1[0] (stock.mjs:16) while worker 2 writes it (stock.mjs:17).',
    sites: ['stock.mjs:16:9', 'stock.mjs:17:3'],
    locations: ['main#1[0]'],
    ...both(row('worker 2', 'write', 'main#1[0]', 'stock.mjs:17:3', '0'), row('worker 1', 'read', 'main#1[0]', 'stock.mjs:16:9', '1')),
    why: ['Nothing orders them: no lock is held.', 'For a race the language promises little.'],
  }),
  deadlock: prediction({
    fingerprint: 'deadbeef00000000',
    kind: 'deadlock',
    pattern: 'deadlock',
    summary:
      'worker 1 waits for lock b (locks.mjs:9), which worker 2 holds; worker 2 waits for lock a (locks.mjs:19), which worker 1 holds.',
    sites: ['locks.mjs:9:3', 'locks.mjs:19:3'],
    locations: ['lock a', 'lock b'],
    ...both(row('worker 1', 'lock', 'lock b', 'locks.mjs:9:3'), row('worker 2', 'lock', 'lock a', 'locks.mjs:19:3')),
    why: ['worker 1 holds {lock a}, worker 2 holds {lock b}: no lock that all of them hold keeps the threads apart.'],
  }),
  property: prediction({
    fingerprint: 'bad0bad000000000',
    kind: 'property',
    pattern: 'ShippedUnpaid',
    property: {
      name: 'ShippedUnpaid',
      text: 'property ShippedUnpaid(order o) {\n  pattern: ship paid\n}\n',
      confirm: 'violation',
      binding: { o: 'Order#3' },
    },
    summary: 'Order#3 is shipped before it is paid.',
    sites: ['shop.mjs:18:3 pack', 'shop.mjs:13:3 pay'],
    locations: ['Order#3'],
    ...both(row('pay', 'call', 'Order.paid', 'shop.mjs:13:3 pay'), row('pack', 'call', 'Order.ship', 'shop.mjs:18:3 pack')),
  }),
  typestate: prediction({
    fingerprint: '57a7e00000000000',
    kind: 'typestate',
    pattern: 'FileHandle',
    property: {
      name: 'FileHandle',
      text: 'typestate FileHandle { }\n',
      confirm: 'violation',
      binding: { this: 'FileHandle#2' },
      state: 'closed',
      operation: 'read',
    },
    summary: 'FileHandle#2 can be read when it is closed.',
    sites: ['log.js:30:5 tail', 'log.js:12:5 stop'],
    locations: ['FileHandle#2'],
    ...both(row('tail', 'call', 'FileHandle.read', 'log.js:30:5 tail'), row('stop', 'call', 'FileHandle.close', 'log.js:12:5 stop')),
  }),
  branch: prediction({
    fingerprint: 'b0a9c40000000000',
    kind: 'branch',
    pattern: 'schedule-sensitive branch',
    branch: {
      kind: 'if',
      site: 'columns.mjs:10:3 list',
      task: 'main',
      chain: 'c1',
      nth: 1,
      recorded: 'false',
      flipped: 'true',
      saw: { location: 'table.columns', value: '', site: '' },
      sees: { location: 'table.columns', value: 'null', site: 'columns.mjs:17:3 drop' },
    },
    summary: 'The `if` at columns.mjs:10 list can go the other way.',
    sites: ['columns.mjs:10:3 list', 'columns.mjs:17:3 drop'],
    locations: ['table.columns'],
    ...both(
      row('list', 'read', 'table.columns', 'columns.mjs:10:3 list', 'Map'),
      row('drop', 'write', 'table.columns', 'columns.mjs:17:3 drop', 'null'),
    ),
  }),
}

export const FAILURES: Readonly<Record<Failure['how'], Failure>> = {
  exception: failure('exception', "TypeError: Cannot read properties of null (reading 'keys')\nmore of it", [
    'at list (file:///shop/columns.mjs:12:84)',
    'at async Promise.all (index 0)',
  ]),
  rejection: failure('rejection', 'Error: The last ticket was sold to ann and to bob', ['at file:///shop/tickets.js:18:35']),
  test: failure('test', 'AssertionError: expected 2 to be 1\n- 1\n+ 2', ['at test/shop.test.ts:9:22']),
  'exit code': failure('exit code', 'It ended with exit code 3.', ['not ok 2 - sells one ticket', '# fail 1']),
  signal: failure('signal', 'It was ended by SIGSEGV.', []),
  hang: failure('hang', 'The program never ends: worker 1 waits for lock b.', ['worker 1 waits for lock b.', 'worker 2 waits for lock a.']),
  violation: failure('violation', 'Order#3 is shipped before it is paid.', [
    'The recorded run has the two in one order, this one in the other.',
  ]),
}

function failure(how: Failure['how'], message: string, detail: readonly string[]): Failure {
  return { how, message, detail, shape: `${how}: ${message}` }
}

const NOTES: Partial<Readonly<Record<Status, string>>> = {
  REPRODUCED: 'The program notices that the wait has timed out, and says so: that is no failure.',
  DIVERGED: 'fs.writeFile, posted at shop.js:13:9 buy did not happen in this run.',
  'NOT REACHED': 'fs.writeFile, posted at shop.js:13:9 buy was delayed and then let go: nothing else could run any more.',
  'TIMED OUT': 'It did not end within 10 s.',
}

/** How programs with these bugs fail, often. */
const HOW: Readonly<Record<string, Failure['how']>> = {
  atomicity: 'rejection',
  'order-violation': 'exit code',
  'data-race': 'signal',
  deadlock: 'hang',
  property: 'violation',
  typestate: 'rejection',
  branch: 'exception',
}

/** What a check makes of a prediction, whatever becomes of it. */
export function findingWith(kind: string, status: Status, how: Failure['how'] = HOW[kind]!): Finding<Saved> {
  const failed = status === 'FAILED'
  const of = KINDS[kind]!
  const events = of.failing.map(({ accesses: [access], chain }) => ({
    name: access!.location.split('.').at(-1)!,
    does: access!.access,
    what: access!.location,
    object: of.locations[0]!,
    stack: [access!.site, 'shop.js:2:1 main'],
    turn: chain,
    task: chain,
  }))
  return finding({
    prediction: of,
    status,
    replays: status === 'PREDICTED' ? { runs: 0, failures: 0 } : { runs: failed ? 3 : 1, failures: failed ? 3 : 0 },
    failure: failed ? FAILURES[how] : undefined,
    note: NOTES[status],
    ...(failed && of.property
      ? {
          violation: {
            property: of.property.name,
            kind: of.kind as 'property' | 'typestate',
            confirm: 'violation' as const,
            says: of.summary,
            binding: of.property.binding,
            ...(of.property.state === undefined ? {} : { state: of.property.state }),
            // The same operation twice, as often.
            events: [...events, events.at(-1)!],
            shape: of.pattern,
          },
        }
      : {}),
    ...(of.branch && status !== 'PREDICTED'
      ? {
          branchClass: {
            class: failed ? 'harmful' : 'benign',
            why: `The run that took the other branch ${failed ? 'failed' : 'printed the same'}.`,
          },
        }
      : {}),
  })
}

export const everyFinding = (): Finding<Saved>[] =>
  STATUSES.flatMap((status, s) =>
    Object.keys(KINDS).map((kind, k) => {
      const one = findingWith(kind, status)
      return { ...one, prediction: { ...one.prediction, fingerprint: `${s}${k}${one.prediction.fingerprint.slice(2)}` } }
    }),
  )

export function documentWith(findings: readonly Finding<Saved>[], over: Partial<CheckDocument> = {}): CheckDocument {
  const circumstances = {
    version: '0.1.0',
    root: '/home/you/shop',
    started: new Date('2026-11-16T10:00:00Z'),
    budgets: { time: 60, replays: 60, maxFindings: 10, confirm: 3 },
  }
  return { ...documentOf(result(findings), circumstances), ...over }
}

/** Everything a program could try in its names, on one line and on several. */
export const EVIL =
  '<script>alert(1)</script>]]>--><!-- "\'`\u0000\u001b[2J\u202e|\n::error::x\r\n##[group]x ##vso[task.complete]x ![a](http://e.vil) @octocat #1 {0} [x](1) %0A%25 \ud800 </summary></details> ```\n# h'

/** The evil string wherever a program's string goes, `__proto__` included. */
export function evilDocument(): CheckDocument {
  const evil = (value: unknown, key: string): unknown => {
    if (
      [
        'status',
        'kind',
        'how',
        'fingerprint',
        'heddle',
        'root',
        'started',
        'access',
        'do',
        'at',
        'timers',
        'confirm',
        'class',
        'order',
        'model',
      ].includes(key)
    )
      return value
    // No word of a command line has a zero byte.
    if (key === 'command' && typeof value === 'string') return `${value}${EVIL.replace('\u0000', '')}`
    if (typeof value === 'string') return /^\S+:\d+:\d+/.test(value) ? `${EVIL}:3:7 ${EVIL}` : `${value}${EVIL}`
    if (Array.isArray(value)) return value.map((item) => evil(item, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, evil(item, name)]))
    return value
  }
  const document = evil(documentWith(everyFinding(), { varies: ['exit code 1'] }), '') as CheckDocument
  const findings = document.findings.map((f, i): FindingDocument =>
    i === 0 ? { ...f, locations: ['__proto__'], test: { file: EVIL, name: EVIL } } : f,
  )
  return { ...document, findings, sources: Object.fromEntries([['__proto__', [{ from: 1, lines: [EVIL] }]]]) }
}
