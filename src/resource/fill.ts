/** Fills the parameters into a template: the locations that this use of the statement accesses. */
import { locationOf, partOf, valueText } from './location.ts'
import { EVERYTHING, type Held, type Touch } from './reading.ts'
import { MOST, type Conjunction, type Operand } from './condition.ts'
import type { LockTemplate, TouchTemplate } from './template.ts'

/** Parameters as clients take them: a list, or an object with names. */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>> | undefined

/** Sets of columns over each of which a table has one row at most. */
export type UniqueOf = (whole: string) => readonly (readonly string[])[]

const NAMES_ROWS =
  /(^|_)(id|uuid|guid|key|code|slug|token|email|sku|name|username|number|hash|ref|date|day|slot|seat|room|tenant)$|[a-z](Id|Uuid|Key|Code)$/

export function fillTouch(template: TouchTemplate, params: Params, uniqueOf: UniqueOf): Touch[] {
  const { condition, fields, access, members, looks, full } = template
  const whole = template.name ? `${template.whole} ${textsOf(template.name, params)?.[0] ?? '?'}` : template.whole
  const unique = template.unique ?? uniqueOf(whole)
  const parts = condition.flatMap((conjunction) => valuesOf(conjunction, params))
  const keys = parts.length > MOST ? [new Map<string, string>()] : parts.map((values) => (full ? row(values, unique) : key(values, unique)))
  const shared = { whole, access, ...(fields ? { fields } : {}), ...(members ? { members } : {}) }
  const found = new Map<string | undefined, Touch>()
  for (const [i, values] of keys.entries()) {
    const part = partOf(values)
    const guards = looks?.filter((column) => !values.has(column)) ?? []
    const refused = template.unique && parts.length <= MOST ? template.unique.flatMap((columns) => uniquePart(parts[i]!, columns)) : []
    found.set(part, {
      ...shared,
      ...(part === undefined ? {} : { part }),
      ...(guards.length > 0 ? { guards, access: 'update' as const } : {}),
      ...(refused.length > 0 ? { unique: refused } : {}),
    })
  }
  // Who touches all touches each of them.
  const all = found.get(undefined)
  return all ? [all] : [...found.values()]
}

function uniquePart(values: ReadonlyMap<string, string>, columns: readonly string[]): string[] {
  const some = new Map(columns.flatMap((column) => (values.has(column) ? [[column, values.get(column)!] as const] : [])))
  return some.size === columns.length ? [partOf(some)!] : []
}

/** The columns that tell a row from others, if they are all there; else whatever is known. */
function key(values: ReadonlyMap<string, string>, unique: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const columns =
    unique.find((some) => some.every((column) => values.has(column))) ??
    (values.has('id') ? ['id'] : values.has('_id') ? ['_id'] : undefined)
  return columns ? new Map(columns.map((column) => [column, values.get(column)!])) : values
}

const MOST_COLUMNS = 4

/** A row that is put: what others could ask for it by. */
function row(values: ReadonlyMap<string, string>, unique: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const keys = new Set(unique.flat())
  const names = [...values.keys()]
  const chosen = [...names.filter((column) => keys.has(column)), ...names.filter((column) => !keys.has(column) && NAMES_ROWS.test(column))]
  return new Map(chosen.slice(0, MOST_COLUMNS).map((column) => [column, values.get(column)!]))
}

/** The conjunction with values; several where a parameter is a list. What has no value that tells it apart is left out. */
function valuesOf(conjunction: Conjunction<string>, params: Params): Map<string, string>[] {
  let all: Map<string, string>[] = [new Map()]
  for (const { column, operand } of conjunction) {
    const values = textsOf(operand, params)
    // Two equalities of one column: the first is enough.
    if (!values || values.length * all.length > MOST || all[0]?.has(column)) continue
    all = all.flatMap((known) => values.map((value) => new Map([...known, [column, value]])))
  }
  return all
}

function textsOf(operand: Operand, params: Params): readonly string[] | undefined {
  if (operand.kind === 'text') {
    const text = valueText(operand.text)
    return text === undefined ? undefined : [text]
  }
  const value = paramOf(operand.key, params)
  const values = Array.isArray(value) && operand.many ? value : [value]
  const texts = values.map(valueText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

export function paramOf(key: string, params: Params): unknown {
  if (params === undefined || params === null) return undefined
  if (Array.isArray(params)) {
    if (/^\d+$/.test(key)) return params[Number(key)] as unknown
    // SQLite's take an object with names among their arguments.
    return params.length > 0 && params.length < 3 ? paramOf(key, params[0] as Params) : undefined
  }
  if (typeof params !== 'object') return undefined
  const named = params as Readonly<Record<string, unknown>>
  return named[key] ?? named[`:${key}`] ?? named[`$${key}`] ?? named[`@${key}`]
}

export function fillLock(template: LockTemplate, params: Params, uniqueOf: UniqueOf): Held[] {
  const { of, until, tries, skips, shared, operands } = template
  const rest = { until, ...(tries ? { tries } : {}), ...(skips ? { skips } : {}), ...(shared ? { shared } : {}) }
  return lockNames(of, operands, params, uniqueOf).map((lock) => ({ lock, ...rest }))
}

export function lockNames(
  of: TouchTemplate | string,
  operands: readonly Operand[] | undefined,
  params: Params,
  uniqueOf: UniqueOf,
): string[] {
  if (typeof of !== 'string') return fillTouch(of, params, uniqueOf).map(locationOf)
  if (!operands || operands.length === 0) return [EVERYTHING]
  return [`${of} ${operands.map((operand) => textsOf(operand, params)?.[0] ?? '?').join(',')}`]
}
