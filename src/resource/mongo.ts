/**
 * Commands of MongoDB as its driver sends them: which documents of which collections they read and change. A filter is read like the WHERE of a
 * statement: equalities with constants, $eq, $in, $and, $or. For MongoDB a field with a list equals each of its elements. Two parts by such a field
 * count as disjoint here, although they may overlap. Nothing here throws.
 */
import { ANY, both, either, MOST, type Condition } from './condition.ts'
import { fillTouch } from './fill.ts'
import { valueText } from './location.ts'
import { EVERYTHING, type Access, type Reading, type Touch } from './reading.ts'
import type { TouchTemplate } from './template.ts'

type Doc = Readonly<Record<string, unknown>>

export function readMongo(command: unknown): Reading {
  try {
    return read(documentOf(command))
  } catch {
    return { touches: [WHOLE], understood: false, title: 'a command' }
  }
}

const WHOLE: Touch = { whole: EVERYTHING, access: 'update' }
const NOT_UNDERSTOOD = Symbol()

const documentOf = (value: unknown): Doc => (value instanceof Map ? (Object.fromEntries(value) as Doc) : ((value ?? {}) as Doc))
const list = (value: unknown): readonly Doc[] => (Array.isArray(value) ? value.map(documentOf) : [])

/** Of the connection or the server. */
const NOTHING = new Set(
  (
    'hello ismaster isMaster ping buildInfo endSessions killCursors saslStart saslContinue getnonce logout listCollections listDatabases listIndexes serverStatus dbStats collStats connectionStatus ' +
    'getParameter hostInfo explain refreshSessions startSession killSessions whatsmyuri getLog features'
  ).split(' '),
)

function read(command: Doc): Reading {
  const name = Object.keys(command)[0] ?? ''
  const title = titleOf(name, command)
  const found = touchesOf(name, command)
  const transaction =
    name === 'commitTransaction'
      ? 'commit'
      : name === 'abortTransaction'
        ? 'rollback'
        : command['startTransaction'] === true
          ? 'begin'
          : undefined
  const understood = found !== NOT_UNDERSTOOD
  return { touches: understood ? found : [WHOLE], ...(transaction ? { transaction } : {}), understood, title }
}

function touchesOf(name: string, command: Doc): Touch[] | typeof NOT_UNDERSTOOD {
  const whole = String(command[name])
  switch (name) {
    case 'find':
      return reads(whole, command['filter'])
    case 'count':
    case 'distinct':
      return reads(whole, command['query'])
    case 'getMore':
      return reads(String(command['collection']), undefined)
    case 'aggregate':
      return typeof command['aggregate'] === 'string' ? pipeline(whole, command['pipeline']) : []
    case 'insert':
      return list(command['documents']).length > MOST
        ? [all(whole, 'update')]
        : list(command['documents']).flatMap((doc) => inserted(whole, doc))
    case 'update':
      return list(command['updates']).flatMap(({ q, u, upsert }) => updated(whole, q, u, upsert === true))
    case 'delete':
      return list(command['deletes']).flatMap(({ q }) => removed(whole, q))
    case 'findAndModify':
    case 'findandmodify':
      return command['remove'] === true
        ? removed(whole, command['query'])
        : updated(whole, command['query'], command['update'], command['upsert'] === true).map((touch) => ({
            ...touch,
            access: 'update' as const,
          }))
    case 'bulkWrite':
      return bulk(command)
    case 'create':
    case 'drop':
    case 'createIndexes':
    case 'dropIndexes':
    case 'collMod':
      return [all(whole, 'write')]
    case 'dropDatabase':
      return [{ whole: EVERYTHING, access: 'write', members: true }]
    case 'commitTransaction':
    case 'abortTransaction':
      return []
  }
  return NOTHING.has(name) ? [] : NOT_UNDERSTOOD
}

const all = (whole: string, access: Access): Touch => ({ whole, access, members: true })

const fill = (template: TouchTemplate): Touch[] => fillTouch(template, undefined, () => [['_id']])

const reads = (whole: string, filter: unknown): Touch[] => fill({ whole, condition: conditionOf(filter), access: 'read' })

function inserted(whole: string, doc: Doc): Touch[] {
  return fill({
    whole,
    condition: [equalities(doc)],
    full: true,
    access: 'update',
    members: true,
    fields: Object.keys(doc),
    unique: [['_id']],
  })
}

function removed(whole: string, filter: unknown): Touch[] {
  return fill({ whole, condition: conditionOf(filter), access: 'write', members: true, looks: fieldsOf(filter) })
}

/** Operators that put a value whatever was there. */
const BLIND = new Set(['$set', '$unset', '$currentDate', '$setOnInsert'])

function updated(whole: string, filter: unknown, change: unknown, upsert: boolean): Touch[] {
  const doc = documentOf(change)
  const operators = Object.keys(doc).filter((key) => key.startsWith('$'))
  const computed = Array.isArray(change) || operators.some((operator) => !BLIND.has(operator))
  const fields =
    operators.length > 0 ? [...new Set(operators.flatMap((operator) => Object.keys(documentOf(doc[operator])).map(top)))] : undefined
  const condition = conditionOf(filter)
  // A document that moves to another part: of what it is moved by nothing is said.
  const put = new Set(fields ?? [])
  const moves = Array.isArray(change) || fields === undefined
  const stays: Condition<string> = condition.map((conjunction) =>
    conjunction.filter(({ column }) => column === '_id' || (!moves && !put.has(top(column)))),
  )
  return fill({
    whole,
    condition: stays,
    access: computed || upsert ? 'update' : 'write',
    ...(fields && !Array.isArray(change) ? { fields } : {}),
    ...(upsert ? { members: true } : {}),
    looks: fieldsOf(filter),
  })
}

const top = (path: string): string => path.split('.')[0]!

/** Stages that look at or write other collections. */
function pipeline(whole: string, stages: unknown): Touch[] {
  const [first] = list(stages)
  const found = reads(whole, first?.['$match'])
  for (const stage of list(stages)) {
    const [name] = Object.keys(stage)
    const value = stage[name!]
    const from = typeof value === 'string' ? value : (documentOf(value)['from'] ?? documentOf(value)['coll'] ?? documentOf(value)['into'])
    if (name === '$out' || name === '$merge')
      found.push(all(typeof from === 'object' ? String(documentOf(from)['coll']) : String(from), 'update'))
    else if (name === '$lookup' || name === '$graphLookup' || name === '$unionWith') {
      if (from !== undefined) found.push({ whole: String(from), access: 'read' })
      for (const touch of list(documentOf(value)['pipeline']).length > 0 ? pipeline(String(from), documentOf(value)['pipeline']) : [])
        found.push(touch)
    } else if (name === '$facet') for (const inner of Object.values(documentOf(value))) found.push(...pipeline(whole, inner))
  }
  return found
}

function bulk(command: Doc): Touch[] {
  const names = list(command['nsInfo']).map(({ ns }) => String(ns).replace(/^[^.]*\./, ''))
  return list(command['ops']).flatMap((op) => {
    const kind = Object.keys(op)[0]!
    const whole = names[Number(op[kind])] ?? EVERYTHING
    if (kind === 'insert') return inserted(whole, documentOf(op['document']))
    return kind === 'update' ? updated(whole, op['filter'], op['updateMods'], op['upsert'] === true) : removed(whole, op['filter'])
  })
}

function equalities(doc: Doc): Condition<string>[number] {
  return Object.entries(doc).flatMap(([column, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [{ column, operand: { kind: 'text' as const, text } }]
  })
}

/** Identifiers and numbers of BSON say themselves what they are. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return valueText(value)
  const { _bsontype: type } = value as { _bsontype?: unknown }
  return type === 'ObjectId' || type === 'ObjectID' || type === 'Long' || type === 'Int32' || type === 'Double' || type === 'UUID'
    ? valueText(String(value))
    : undefined
}

function conditionOf(filter: unknown): Condition<string> {
  let condition: Condition<string> = ANY
  for (const [field, value] of Object.entries(documentOf(filter))) {
    if (field === '$and') condition = list(value).map(conditionOf).reduce(both, condition)
    else if (field === '$or') {
      const branches = list(value).map(conditionOf)
      if (branches.length > 0) condition = both(condition, branches.reduce(either))
    } else if (!field.startsWith('$')) condition = both(condition, equal(field, value))
  }
  return condition
}

function equal(column: string, value: unknown): Condition<string> {
  const operators = documentOf(value)
  if (typeof value === 'object' && value !== null && '$eq' in operators) return equal(column, operators['$eq'])
  const some = typeof value === 'object' && value !== null && Array.isArray(operators['$in']) ? (operators['$in'] as unknown[]) : [value]
  const texts = some.map(textOf)
  if (texts.length === 0 || texts.length > MOST || texts.some((text) => text === undefined)) return ANY
  return texts.map((text) => [{ column, operand: { kind: 'text' as const, text: text! } }])
}

function fieldsOf(filter: unknown): string[] {
  return [
    ...new Set(
      Object.entries(documentOf(filter)).flatMap(([field, value]) =>
        field === '$and' || field === '$or' ? list(value).flatMap(fieldsOf) : field.startsWith('$') ? [] : [field],
      ),
    ),
  ]
}

const WIDEST = 60

function titleOf(name: string, command: Doc): string {
  let filter = ''
  try {
    filter = JSON.stringify(
      command['filter'] ?? command['query'] ?? list(command['updates'])[0]?.['q'] ?? list(command['deletes'])[0]?.['q'] ?? '',
    )
  } catch {
    // It goes round in a circle.
  }
  const line = `${name} ${typeof command[name] === 'string' ? command[name] : ''} ${filter === '""' ? '' : filter}`.trim()
  return line.length > WIDEST ? `${line.slice(0, WIDEST).trimEnd()} …` : line
}
