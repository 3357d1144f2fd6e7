/**
 * A part of a test run: what one shard did, or several. `heddle merge` combines parts. A part is a set of entries, one for each command that was run,
 * and combining is the union of sets. So the order does not matter, and a part may be given twice. What is shown is a pure function of the set.
 * Writer and reader of `part.heddle`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isRecord } from '../base/objects.ts'
import { count, Fault, fields, line, list, take, text, whole, word, type Shape } from '../base/schema.ts'
import { HeddleError, quote } from '../errors.ts'
import type { CheckDocument } from '../report/document.ts'
import { documentIn } from '../report/read-document.ts'
import { COMMAND, TIMERS } from '../schedule/shapes.ts'
import type { TestSummary } from './contract.ts'
import { mergedDocument } from './document.ts'
import { NOTHING, SUMMARY } from './summaries.ts'

const VERSION = 1

/** One command that was run. */
export interface TestEntry {
  /** The file, or the shard: `3/8`. */
  readonly name: string
  readonly started: string
  /** Of the command. */
  readonly exit: number
  readonly summary: TestSummary
  readonly documents: readonly CheckDocument[]
  /** The end of what it printed. */
  readonly output?: string
}

export interface Part {
  readonly heddle: typeof VERSION
  readonly version: string
  readonly command: readonly string[]
  readonly root: string
  /** How many shards there are in all; 0: they are not numbered. */
  readonly shards: number
  readonly timers: 'due' | 'latency'
  readonly budgets: { readonly time: number; readonly replays: number; readonly maxFindings: number; readonly confirm: number }
  readonly entries: readonly TestEntry[]
}

export const newPart = (of: Omit<Part, 'heddle'>): Part => ({ heddle: VERSION, ...of })

export const ENTRY: Shape = fields({
  name: line(),
  started: line(40),
  exit: whole(0, 255),
  summary: SUMMARY,
  '?output': text(1 << 20),
})
const PART: Shape = fields({
  heddle: word(VERSION),
  version: line(100),
  command: COMMAND,
  root: line(),
  shards: whole(0, 10_000),
  timers: TIMERS,
  budgets: fields({ time: count, replays: count, maxFindings: count, confirm: count }),
  entries: list(ENTRY, 100_000),
})

const notAPart = (path: string, why: string): HeddleError =>
  new HeddleError(
    'not-a-part',
    `${quote(path)} is no part of a run of tests: ${why}`,
    'Give files that `heddle test --shard … --out` wrote, or findings.json',
  )

/** A document alone is a part with one entry. */
export function readPart(path: string): Part {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw notAPart(path, error instanceof SyntaxError ? 'it is not JSON' : ((error as NodeJS.ErrnoException).code ?? String(error)))
  }
  return isRecord(json) && Object.hasOwn(json, 'schema') ? partOfDocument(documentIn(json, path)) : partIn(json, path)
}

/** `path`: for the error. */
export function partIn(json: unknown, path: string): Part {
  const part = take<Part>(json, PART)
  if (part instanceof Fault) throw notAPart(path, part.text)
  const { entries } = json as { entries: Record<string, unknown>[] }
  return { ...part, entries: part.entries.map((entry, i) => ({ ...entry, documents: documentsOf(entries[i]!, path) })) }
}

/** One entry, as it comes from a worker. */
export function entryIn(json: unknown, path: string): TestEntry {
  const entry = take<TestEntry>(json, ENTRY)
  if (entry instanceof Fault) throw notAPart(path, entry.text)
  return { ...entry, documents: documentsOf(json as Record<string, unknown>, path) }
}

function documentsOf({ documents }: Record<string, unknown>, path: string): CheckDocument[] {
  if (!Array.isArray(documents) || documents.length > 1_000_000) throw notAPart(path, '"documents" is not a list')
  return documents.map((one) => documentIn(one, path))
}

function partOfDocument(document: CheckDocument): Part {
  const { heddle, command, root, budgets, recorded, started, findings } = document
  const failed = findings.filter(({ status }) => status === 'FAILED').length
  const entry: TestEntry = {
    name: `document ${hashOf(document).slice(0, 16)}`,
    started,
    exit: failed > 0 ? 1 : 0,
    summary: { ...NOTHING, analysed: 1, replayed: document.replays > 0 ? 1 : 0, findings: failed },
    documents: [document],
  }
  return newPart({
    version: heddle,
    command: command.length === 0 ? ['heddle'] : command,
    root,
    shards: 0,
    timers: recorded.timers === 'latency' ? 'latency' : 'due',
    budgets: budgets ?? { time: 0, replays: 0, maxFindings: 0, confirm: 0 },
    entries: [entry],
  })
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex')

/** The same text for the same value, in whichever order its fields were written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const known = Object.entries(value).filter(([, of]) => of !== undefined)
  const sorted = known.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, of]) => `${JSON.stringify(key)}:${canonical(of)}`).join(',')}}`
}

/** The union. What parts say of all of them together is that of the first, in an order that does not depend on how they were given. */
export function mergeParts(parts: readonly Part[]): Part {
  const heads = parts.map((part) => ({ head: { ...part, entries: [] }, key: canonical({ ...part, entries: [] }) }))
  const [first] = heads.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  if (!first) throw new Error('nothing to merge')
  const entries = new Map(parts.flatMap((part) => part.entries.map((entry) => [hashOf(entry), entry] as const)))
  const shards = Math.max(...parts.map((part) => part.shards))
  return { ...first.head, shards, entries: [...entries].sort(byName).map(([, entry]) => entry) }
}

function byName([a, one]: readonly [string, TestEntry], [b, other]: readonly [string, TestEntry]): number {
  const [x, y] = [`${one.name}\0${one.started}\0${a}`, `${other.name}\0${other.started}\0${b}`]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Shards that are in none of the parts. */
export function missingShards({ shards, entries }: Part): number[] {
  const there = new Set(entries.map(({ name }) => name))
  return Array.from({ length: shards }, (_, i) => i + 1).filter((nth) => !there.has(`${nth}/${shards}`))
}

/** Of entries of one name, a shard that was run twice, the last is counted. What any of them found is kept. */
export function countedIn({ entries }: Part): readonly TestEntry[] {
  const last = new Map(entries.map((entry) => [entry.name, entry]))
  return [...last.values()]
}

export function documentOfPart(part: Part, summary: TestSummary): CheckDocument {
  const { version, command, root, budgets, timers, entries } = part
  const document = mergedDocument({
    runs: '',
    root,
    command,
    summary,
    version,
    settings: { ...budgets, timers },
    documents: countedIn(part).flatMap(({ documents }) => documents),
    alsoFound: entries.flatMap(({ documents }) => documents.flatMap(({ findings }) => findings)),
  })
  const [started = new Date(0).toISOString()] = entries.map((entry) => entry.started).sort()
  return { ...document, started }
}
