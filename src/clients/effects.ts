/**
 * From requests as the runtime recorded them (a `call` with its text and parameters) to their effects: reads and writes of locations outside the
 * program, and locks taken and released. In the resulting trace these replace the `call` rows; docs/event-loop.md has them.
 */
import { GrowInt32 } from '../base/grow.ts'
import type { Reading } from '../resource/reading.ts'
import { ARGUMENT, CALL, DISPATCH, POST, READ, TURN_BEGIN, WRITE } from '../trace/ops.ts'
import { NONE, Trace } from '../trace/trace.ts'
import { NOT_OBSERVED, parseValue } from '../trace/values.ts'
import type { Client, Reader } from './client.ts'
import { Places } from './places.ts'
import { Lanes, type Row } from './lanes.ts'

/** Reads a statement or command; `text` and `params` are JSON values. */
export type Read = (reader: Reader, text: unknown, params: unknown) => Reading

export interface WithEffects {
  readonly trace: Trace
  /** Requests that were looked at, and those that could not be read: these touch the whole database. */
  readonly requests: number
  readonly unread: number
}

const WORDS: Readonly<Record<Reader['kind'], string>> = { sql: 'query', redis: 'command', mongo: 'command' }

interface Request {
  readonly event: number
  /** Rows up to here belong to it. */
  readonly end: number
  readonly reader: Reader
  readonly lane: number
  readonly reading: Reading
  readonly failed: boolean
  readonly returned: unknown
}

export function withEffects(trace: Trace, clients: readonly Client[], read: Read): WithEffects {
  const requests = requestsIn(trace, clients, read)
  if (requests.length === 0) return { trace, requests: 0, unread: 0 }
  const unread = requests.filter(({ reading }) => !reading.understood).length
  const places = new Places(requests.map(({ reading }) => reading))
  const lanes = new Lanes(places)
  const rows = new Map<number, { readonly end: number; readonly rows: readonly Row[] }>()
  for (const { event, end, reader, lane, reading, failed, returned } of requests)
    rows.set(event, { end, rows: lanes.request({ at: event, lane, reader, reading, failed, returned, site: trace.site[event]! }) })
  const titles = new Map<string, string>()
  for (const { event, reader, reading } of requests)
    if (trace.op[event - 1] === TURN_BEGIN) titles.set(trace.targetName(event - 1), `${WORDS[reader.kind]} ${reading.title}`)
  return { trace: replaced(trace, rows, lanes, titles, queuesIn(clients)), requests: requests.length, unread }
}

function requestsIn(trace: Trace, clients: readonly Client[], read: Read): Request[] {
  const { op, tables, value } = trace
  const readers = new Map<number, Reader>()
  for (const client of clients)
    for (const call of client.calls) {
      const name = tables.names.find(`${client.name}.${call.method}`)
      if (name >= 0) readers.set(name, client.reader)
    }
  const found: Request[] = []
  if (readers.size === 0) return found
  for (let event = 0; event < op.length; event++) {
    const reader = op[event] === CALL ? readers.get(trace.target[event]!) : undefined
    if (reader === undefined || op[event + 1] !== ARGUMENT || trace.targetName(event + 1) !== 'text') continue
    const operands = new Map<string, unknown>()
    let end = event + 1
    for (; end < op.length && op[end] === ARGUMENT; end++) operands.set(trace.targetName(end), operandAt(trace, end))
    const reading = read(reader, operands.get('text'), operands.get('params'))
    found.push({
      event,
      end,
      reader,
      lane: Number(tables.values.textOf(value[event]!)),
      reading,
      failed: operands.has('throws'),
      returned: operands.get('returns'),
    })
  }
  return found
}

function operandAt(trace: Trace, event: number): unknown {
  const text = parseValue(trace.tables.values.textOf(trace.value[event]!))
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined
  } catch {
    // The code of an error, or something that was cut.
    return text
  }
}

/** The same trace with the rows of requests, their names and the lines that asked for them. Names are added to its tables. */
function replaced(
  trace: Trace,
  rows: ReadonlyMap<number, { readonly end: number; readonly rows: readonly Row[] }>,
  lanes: Lanes,
  titles: ReadonlyMap<string, string>,
  queues: ReadonlySet<string>,
): Trace {
  const columns = { op: new GrowInt32(), target: new GrowInt32(), value: new GrowInt32(), site: new GrowInt32(), stamp: new GrowInt32() }
  const { tables } = trace
  const add = (op: number, target: number, value: number, site: number, stamp: number): void => {
    columns.op.push(op)
    columns.target.push(target)
    columns.value.push(value)
    columns.site.push(site)
    columns.stamp.push(stamp)
  }
  const sites = new Map<number, number>()
  const userSite = (site: number): number => {
    let found = sites.get(site)
    if (found === undefined) sites.set(site, (found = site === NONE ? NONE : tables.sites.intern(askedBy(tables.sites.at(site), queues))))
    return found
  }
  const isRequest = Uint8Array.from([...tables.queues], (name) => Number(/^request\b/.test(name)))
  const nameOf = (e: number): number => {
    const isTurn = trace.op[e] === TURN_BEGIN && trace.op[e + 1] === DISPATCH && isRequest[trace.target[e + 1]!] === 1
    const title = isTurn ? titles.get(tables.values.textOf(trace.value[e + 1]!).slice(1)) : undefined
    return title === undefined ? trace.target[e]! : tables.names.intern(title)
  }
  const starts = [0]
  for (let task = 0; task < trace.taskCount; task++) {
    for (let e = trace.taskStart[task]!; e < trace.taskStart[task + 1]!; e++) {
      const own = rows.get(e)
      if (own === undefined) {
        const site = trace.op[e] === POST && isRequest[trace.target[e]!] === 1 ? userSite(trace.site[e]!) : trace.site[e]!
        add(trace.op[e]!, nameOf(e), trace.value[e]!, site, trace.stamp[e]!)
        continue
      }
      for (const row of lanes.settled(e, own.rows)) {
        const isAccess = row.op === READ || row.op === WRITE
        const target = (isAccess ? tables.locations : tables.locks).intern(row.name)
        add(row.op, target, isAccess ? NOT_OBSERVED : tables.values.codeOf(row.lane), userSite(row.site), trace.stamp[e]!)
      }
      e = own.end - 1
    }
    starts.push(columns.op.length)
  }
  return new Trace(
    {
      taskStart: Int32Array.from(starts),
      op: Uint8Array.from(columns.op.view()),
      target: columns.target.finish(),
      value: columns.value.finish(),
      site: columns.site.finish(),
      stamp: columns.stamp.finish(),
    },
    tables,
    trace.facts,
  )
}

/** Packages that carry out jobs: what they ask for is about their queue, whoever waits for it. */
const queuesIn = (clients: readonly Client[]): ReadonlySet<string> =>
  new Set(clients.filter(({ tasks = [], puts = [] }) => tasks.length + puts.length > 0).flatMap(({ packages }) => packages))

const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** A call chain from the innermost line on that is no package's: there the program asked for it. Of what a queue asks for itself, that line stays. */
function askedBy(chain: string, queues: ReadonlySet<string>): string {
  const places = chain.split(' < ')
  const first = places.findIndex((place) => !place.includes('node_modules/'))
  const until = places.slice(0, Math.max(first, 0)).findIndex((place) => queues.has(PACKAGE.exec(place)?.[1] ?? ''))
  const from = until >= 0 ? until : first
  return from <= 0 ? chain : places.slice(from).join(' < ')
}
