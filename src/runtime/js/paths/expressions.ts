/**
 * Expressions as rows. A tag is the number of a row plus one. 0 is a constant; everything before the window is a constant, too. None of this runs
 * code of the program.
 */
import { isObject } from '../../../base/objects.ts'
import { ARGUMENT, BRANCH, EXPRESSION, OF, PIN } from '../../../trace/ops.ts'
import type { Value } from '../../../trace/values.ts'
import { objectName } from '../memory/names.ts'
import { numberOf } from '../memory/shadow.ts'
import { here, ready, rows, siteOf, turnStart } from './here.ts'
import { outcomeOf } from './objects.ts'
import { NONE, NOT_OBSERVED } from './rows.ts'

/** The register of all modules of this thread. */
export const T = { t: 0 }

/** Longer texts are not observed. */
const LONGEST = 200

/** The least tag that somebody used since this was set to Infinity: what ran in between may depend on everything from there on. */
export let oldest = Infinity
export function setOldest(tag: number): void {
  oldest = tag
}
/** The tag of the last input. */
let lastInput = 0

/** While a thread goes round in a circle of reads, what it computes from them is not written; this is its tag. */
export let spinning = 0
export function setSpinning(tag: number): void {
  spinning = tag
}

/** Someone takes a value with this tag: returns the tag as it counts now. */
export function use(tag: number): number {
  // Variables that have no value yet have no tag either.
  if (!(tag > rows.base)) return 0
  if (tag < oldest) oldest = tag
  return tag
}

/** The codes of objects, by their numbers; of texts. */
const objectCodes = new Map<number, number>()
const textCodes = new Map<string, number>()

export function codeOf(value: unknown): number {
  if (!rows.keeps) return NOT_OBSERVED
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST ? NOT_OBSERVED : textCode(value)
    case 'symbol':
      return NOT_OBSERVED
    case 'boolean':
      return rows.truthCode(value)
    case 'object':
    case 'function':
      if (value === null) return rows.values.codeOf(null)
      if (value instanceof Coded) return value.code
      return objectCode(value)
    default:
      return rows.values.codeOf(value as Value)
  }
}

function textCode(text: string): number {
  let code = textCodes.get(text)
  if (code === undefined) textCodes.set(text, (code = rows.values.codeOf(text)))
  return code
}

function objectCode(object: object): number {
  const number = numberOf(object)
  let code = objectCodes.get(number)
  if (code === undefined) objectCodes.set(number, (code = rows.values.codeOf({ object: objectName(object) })))
  return code
}

export const isObserved = (value: unknown): boolean => (typeof value === 'string' ? value.length <= LONGEST : typeof value !== 'symbol')

/** A read that is an input. Call after `ready`. */
export function inputRow(op: number, location: number, code: number, site: number): number {
  lastInput = rows.put(op, location, code, site < 0 || !rows.keeps ? NONE : siteOf(site))
  if (lastInput < oldest) oldest = lastInput
  return lastInput
}

/** The next row decides or is written by this expression. */
function ofRow(tag: number): void {
  if (tag > rows.base) rows.put(OF, NONE, rows.rowCode(tag), NONE)
}

export function writeRow(op: number, location: number, code: number, tag: number, site: number): void {
  ofRow(use(tag))
  rows.put(op, location, code, site < 0 || !rows.keeps ? NONE : siteOf(site))
}

const constants = new Map<unknown, number>()
/** Of objects, by their numbers. */
const constantObjects = new Map<number, number>()

/** The tag of a row that says this constant; 0 if it cannot be said. */
function constant(value: unknown): number {
  if (!isObserved(value)) return 0
  if (isObject(value)) {
    const number = numberOf(value as object)
    const known = constantObjects.get(number)
    if (known !== undefined && known > rows.base) return known
    const tag = constantRow(value)
    constantObjects.set(number, tag)
    return tag
  }
  // A Map takes 0 and -0 for the same.
  const key = Object.is(value, -0) ? MINUS_ZERO : value
  const known = constants.get(key)
  if (known !== undefined && known > rows.base) return known
  const tag = constantRow(value)
  constants.set(key, tag)
  return tag
}

const MINUS_ZERO = Symbol('-0')
const constantRow = (value: unknown): number => rows.put(EXPRESSION, name('const'), codeOf(value), NONE)

const names = new Map<string, number>()
function name(text: string): number {
  let number = names.get(text)
  if (number === undefined) names.set(text, (number = rows.name(text)))
  return number
}

const UNARY_ON_OBJECTS = new Set(['!', 'typeof', 'get', 'has'])

/** An operator with one operand. */
export function unary(operator: string, a: unknown, ta: number, result: unknown): number {
  ta = use(ta)
  if (ta === 0) return 0
  if (isObject(a) && !UNARY_ON_OBJECTS.has(operator)) return opaque(result, ta)
  if (!ready()) return 0
  if (ta === spinning) return spinning
  // A window may have begun just now.
  if (ta <= rows.base) return 0
  return rows.put(EXPRESSION, name(operator), rows.rowCode(ta), NONE)
}

const TAKES_OBJECTS = new Set(['===', '!==', '==', '!=', 'instanceof', 'at', 'taken'])

export function binary(operator: string, a: unknown, ta: number, b: unknown, tb: number, result: unknown): number {
  ta = use(ta)
  tb = use(tb)
  if (ta === 0 && tb === 0) return 0
  if (((isObject(a) || isObject(b)) && !TAKES_OBJECTS.has(operator)) || !isObserved(a) || !isObserved(b)) return opaque(result, ta, tb)
  if (!ready()) return 0
  if (spinning !== 0 && (ta === spinning || tb === spinning)) return spinning
  if (ta <= rows.base) ta = constant(a)
  if (tb <= rows.base) tb = constant(b)
  const tag = rows.put(EXPRESSION, name(operator), rows.rowCode(ta), NONE)
  rows.put(ARGUMENT, name('2'), rows.rowCode(tb), NONE)
  return tag
}

/** Any operator; `values[i]` is the value of the operand with `tags[i]`. 0 if all are constants. */
export function many(operator: string, values: readonly unknown[], tags: readonly number[], result: unknown): number {
  let any = false
  let said = true
  for (let i = 0; i < values.length; i++) {
    if (use(tags[i] ?? 0) !== 0) any = true
    if (!isObserved(values[i])) said = false
  }
  if (!any) return 0
  if (!said) return opaqueOver(result, tags)
  if (!ready()) return 0
  if (spinning !== 0 && tags.includes(spinning)) return spinning
  const rowsOf = values.map((value, i) => ((tags[i] ?? 0) > rows.base ? tags[i]! : constant(value)))
  const tag = rows.put(EXPRESSION, name(operator), rows.rowCode(rowsOf[0]!), NONE)
  for (let i = 1; i < rowsOf.length; i++) rows.put(ARGUMENT, name(String(i + 1)), rows.rowCode(rowsOf[i]!), NONE)
  return tag
}

/** A value of ours, not of the program: as what it is written. */
export class Coded {
  constructor(readonly code: number) {}
}

/** Not followed: depends on these, and on all inputs from `since` on. */
export function opaque(value: unknown, ta = 0, tb = 0, tc = 0, since = 0): number {
  ta = use(ta)
  tb = use(tb)
  tc = use(tc)
  if (since <= rows.base) since = since > 0 ? rows.base + 1 : 0
  if (since > lastInput) since = 0
  if (ta === 0 && tb === 0 && tc === 0 && since === 0) return 0
  if (!ready()) return 0
  if (spinning !== 0 && (ta === spinning || tb === spinning || tc === spinning)) return spinning
  const tag = rows.put(EXPRESSION, name('?'), codeOf(value), NONE)
  let nth = 2
  if (ta > rows.base) operand(nth++, ta)
  if (tb > rows.base && tb !== ta) operand(nth++, tb)
  if (tc > rows.base && tc !== tb && tc !== ta) operand(nth++, tc)
  if (since > rows.base) rows.put(ARGUMENT, name('since'), rows.rowCode(since), NONE)
  return tag
}

const operand = (nth: number, tag: number): number => rows.put(ARGUMENT, name(String(nth)), rows.rowCode(tag), NONE)

/** The same over a list. */
export function opaqueOver(value: unknown, tags: readonly number[] | undefined, more = 0, since = 0): number {
  if (tags === undefined || tags.length === 0) return opaque(value, more, 0, 0, since)
  if (tags.length <= 2) return opaque(value, more, tags[0], tags[1], since)
  const used = new Set<number>()
  for (const tag of [more, ...tags]) if (use(tag) !== 0) used.add(tag)
  if (used.size <= 3) return opaque(value, ...([...used, 0, 0, 0].slice(0, 3) as [number, number, number]), since)
  if (since > lastInput) since = 0
  if (!ready()) return 0
  if (spinning !== 0 && used.has(spinning)) return spinning
  const tag = rows.put(EXPRESSION, name('?'), codeOf(value), NONE)
  let nth = 2
  for (const tag of used) if (tag > rows.base) operand(nth++, tag)
  if (since > 0) rows.put(ARGUMENT, name('since'), rows.rowCode(Math.max(since, rows.base + 1)), NONE)
  return tag
}

/** Nobody knows what it depended on: everything the turn has read so far. */
export function unknown(value: unknown): number {
  here()
  return opaque(value, 0, 0, 0, turnStart)
}

/** What sites decided last: 1 false, 2 true. */
let lastOutcome = new Uint8Array(1024)

export function branch(site: number, kind: string, outcome: boolean, tag: number): void {
  tag = use(tag)
  if (!ready() || isAgain(site, outcome, tag === spinning)) return
  ofRow(tag)
  rows.put(BRANCH, name(kind), rows.truthCode(outcome), rows.keeps ? siteOf(site) : NONE)
}

/** Is it the same decision as in the round before, on what was read in this one? Others are written: a loop that counts leaves by itself. */
export function isAgain(site: number, outcome: boolean, isOfRound: boolean): boolean {
  const now = outcome ? 2 : 1
  if (spinning !== 0 && isOfRound && lastOutcome[site] === now) return true
  if (site >= lastOutcome.length) {
    const longer = new Uint8Array(2 * site)
    longer.set(lastOutcome)
    lastOutcome = longer
  }
  lastOutcome[site] = now
  return false
}

let decidedTurn = -1
const decided = new Set<number>()
/** Has this expression decided for a receiver (or index) in this turn? */
function wasDecided(tag: number): boolean {
  if (decidedTurn !== turnStart) {
    decidedTurn = turnStart
    decided.clear()
  }
  if (decided.has(tag)) return true
  decided.add(tag)
  return false
}

/** What an access or a call is made on. */
export function receiver(site: number, value: unknown, tag: number, kind = 'receiver'): void {
  tag = use(tag)
  if (tag === 0 || !ready() || tag === spinning || wasDecided(tag)) return
  if (value !== null && value !== undefined && !isObject(value)) {
    // Which primitive it is decides nothing; that it is one does.
    const isNull = binary('==', value, tag, null, 0, false)
    return branch(site, kind, false, isNull)
  }
  ofRow(tag)
  const outcome = isObject(value) ? { object: outcomeOf(value) } : (value as null | undefined)
  rows.put(BRANCH, name(kind), rows.values.codeOf(outcome), rows.keeps ? siteOf(site) : NONE)
}

/** A computed key. */
export function index(site: number, key: unknown, tag: number): void {
  tag = use(tag)
  if (tag === 0 || !ready() || tag === spinning || wasDecided(tag)) return
  ofRow(tag)
  rows.put(BRANCH, name('index'), codeOf(key), rows.keeps ? siteOf(site) : NONE)
}

/** From here on all inputs so far have their recorded values. */
export function pinAll(): void {
  if (lastInput > rows.base && ready()) rows.put(PIN, NONE, NOT_OBSERVED, NONE)
}
