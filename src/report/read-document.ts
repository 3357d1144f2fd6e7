/** Reads the result of a check from a file. Somebody may have edited it, so that what reports rely on is looked at first. */
import { isRecord } from '../base/objects.ts'
import { readFileSync } from 'node:fs'
import { DOCUMENT_SCHEMA, type CheckDocument } from './document.ts'
import { noDocument, notADocument, otherDocument } from './errors.ts'
import { STATUSES } from './listing.ts'

export function readDocument(path: string): CheckDocument {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' ? noDocument(path) : notADocument(path, code ?? message)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw notADocument(path, 'it is not JSON')
  }
  if (!isRecord(json) || !('schema' in json)) throw notADocument(path, 'it has no schema')
  if (json['schema'] !== DOCUMENT_SCHEMA) throw otherDocument(path, json['schema'], DOCUMENT_SCHEMA)
  const fault = faultOf(json, DOCUMENT, '')
  if (fault !== undefined) throw notADocument(path, fault)
  const document = json as unknown as CheckDocument
  // Words of Heddle itself, which reports do not escape.
  for (const [i, { status, fingerprint, also = [] }] of document.findings.entries()) {
    if (!STATUSES.includes(status)) throw notADocument(path, `findings[${i}].status is not a status`)
    if (![fingerprint, ...also.map((other) => other.fingerprint)].every((id) => /^[\w.-]+$/.test(id)))
      throw notADocument(path, `findings[${i}].fingerprint is not one`)
  }
  return document
}

/** A name of a type, a list of things, a map of things, or fields; `?` in front of a field that may be missing. */
type Shape = 'string' | 'number' | 'boolean' | 'object' | readonly [Shape] | { readonly '*': Shape } | { readonly [field: string]: Shape }

const STRINGS: Shape = ['string']
const STEP: Shape = {
  turn: { label: 'string', nth: 'number' },
  name: 'string',
  chain: 'string',
  posted: 'string',
  at: 'number',
  accesses: [{ access: 'string', '?verb': 'string', location: 'string', site: 'string', '?value': 'string' }],
}
const NUMBERS: Shape = ['number']
const RUN: Shape = {
  blocks: [{ lane: 'number', name: 'number', from: 'number', to: 'number', at: 'number' }],
  does: NUMBERS,
  what: NUMBERS,
  value: NUMBERS,
  site: NUMBERS,
  same: NUMBERS,
  arrows: [{ kind: 'string', from: 'number', to: 'number', why: 'number' }],
  spans: [{ lane: 'number', lock: 'number', from: 'number', to: 'number' }],
  flipped: NUMBERS,
  cut: { before: 'number', after: 'number' },
}
const OTHER: Shape = {
  fingerprint: 'string',
  kind: 'string',
  pattern: 'string',
  label: 'string',
  summary: 'string',
  sites: STRINGS,
  locations: STRINGS,
  '?branch': { kind: 'string', site: 'string', recorded: 'string', flipped: 'string' },
}
const COUNTS: Shape = { '*': 'number' }
const ROW: Shape = {
  predictor: 'string',
  facts: COUNTS,
  causes: 'number',
  candidates: 'number',
  feasible: COUNTS,
  infeasible: COUNTS,
  unknown: COUNTS,
  grouped: 'number',
  notLookedAt: COUNTS,
  atLeast: 'boolean',
}
const FINDING: Shape = {
  status: 'string',
  kind: 'string',
  pattern: 'string',
  label: 'string',
  summary: 'string',
  sites: STRINGS,
  locations: STRINGS,
  fingerprint: 'string',
  replays: { runs: 'number', failures: 'number' },
  '?failure': { how: 'string', message: 'string', detail: STRINGS, shape: 'string' },
  '?violation': {
    property: 'string',
    says: 'string',
    events: [{ name: 'string', does: 'string', '?verb': 'string', what: 'string', stack: STRINGS }],
  },
  '?branch': { kind: 'string', site: 'string', recorded: 'string', flipped: 'string' },
  '?property': { name: 'string', '?text': 'string' },
  '?note': 'string',
  '?test': { file: 'string', name: 'string' },
  '?picture': {
    strings: STRINGS,
    lanes: [{ name: 'number', kind: 'string', from: 'number' }],
    observed: RUN,
    failing: RUN,
    '?verbs': { '*': 'string' },
  },
  '?schedule': 'object',
  '?also': [OTHER],
  observed: [STEP],
  failing: [STEP],
  why: STRINGS,
}
const DOCUMENT: Shape = {
  heddle: 'string',
  complete: 'boolean',
  command: STRINGS,
  root: 'string',
  started: 'string',
  findings: [FINDING],
  recorded: 'object',
  coverage: [ROW],
  replays: 'number',
  notReplayed: 'number',
  '?budgets': 'object',
  plain: { runs: 'number', failed: 'number' },
  '?trace': { source: 'string', model: 'string', decider: 'string' },
  varies: STRINGS,
  notes: STRINGS,
  seconds: 'number',
  sources: { '*': [{ from: 'number', lines: STRINGS }] },
  lookedAt: 'string',
}

/** The first thing that is not as it should be. */
function faultOf(value: unknown, shape: Shape, at: string): string | undefined {
  if (typeof shape === 'string') {
    const right = shape === 'object' ? isRecord(value) : typeof value === shape
    return right ? undefined : `${at} is not ${shape === 'object' ? 'an object' : `a ${shape}`}`
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return `${at} is not a list`
    for (const [i, item] of value.entries()) {
      const fault = faultOf(item, shape[0], `${at}[${i}]`)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  if (!isRecord(value)) return `${at} is not an object`
  const below = (field: string): string => (at === '' ? field : `${at}.${field}`)
  if ('*' in shape) {
    for (const [field, item] of Object.entries(value)) {
      const fault = faultOf(item, shape['*']!, below(field))
      if (fault !== undefined) return fault
    }
    return undefined
  }
  for (const [name, of] of Object.entries(shape)) {
    const field = name.replace('?', '')
    if (name !== field && value[field] === undefined) continue
    const fault = faultOf(value[field], of, below(field))
    if (fault !== undefined) return fault
  }
  return undefined
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)
