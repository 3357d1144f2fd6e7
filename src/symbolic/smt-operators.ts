/**
 * Operators as SMT-LIB terms over the numbers of smt-values.ts. Each is exact where its guards hold. An operator that has no entry, or whose entry gives
 * nothing for the values at hand, is replaced by its recorded value (smt.ts).
 */
import type { Node } from './expressions.ts'
import type { Value } from '../trace/values.ts'
import {
  bitAnd,
  bitNot,
  bitOr,
  bitXor,
  number,
  shiftLeft,
  shiftRight,
  shiftRightUnsigned,
  type ByConstant,
  type Encoded,
} from './smt-bits.ts'
import { ABSENT_CODE, NAN_CODE, OTHERS_FROM, SPECIAL_FROM, TYPES, UNDEFINED_CODE, whole } from './smt-values.ts'

export interface Operands {
  readonly count: number
  /** The term of an operand. */
  value(i: number): string
  bool(i: number): string
  /** As a number, where it is used as one: 1 and 0 for what is sure to be true or false. */
  number(i: number): string
  /** Is `number` sure to be a whole one, under the guards of the operand? */
  isWhole(i: number): boolean
  /** Was it one in the recorded run? */
  wasWhole(i: number): boolean
  /** Or undefined, null, NaN, a boolean? */
  wasSimple(i: number): boolean
  /** Of two: were they of one type, or one of them null or undefined? */
  wereAlike(): boolean
  /** Its value where no input can change it. */
  constant(i: number): { readonly value: Value } | undefined
  /** Its recorded value as a whole number; its inputs keep theirs from now on. */
  fix(i: number): number
  /** As a number, in the recorded run. */
  was(i: number): number
  /** How many inputs `fix` would hold fast. */
  freedom(i: number): number
  term(value: Value): string
  readonly node: Node
}

export type { Encoded } from './smt-bits.ts'

export type Encode = (operands: Operands) => Encoded | undefined

const bool = (text: string, guards: readonly string[] = []): Encoded => ({ text, sort: 'Bool', guards })

/** Guards that say that operands are whole numbers. */
const wholes = (o: Operands): string[] => {
  const guards: string[] = []
  for (let i = 0; i < o.count; i++) if (!o.isWhole(i)) guards.push(`(hd_int ${o.number(i)})`)
  return guards
}

const wereWhole = (o: Operands): boolean => {
  for (let i = 0; i < o.count; i++) if (!o.wasWhole(i)) return false
  return true
}

/** All operands are whole numbers. `grows`: the result may be none. */
function onWholes(write: (...values: string[]) => string, grows: boolean): Encode {
  return (o) => {
    if (o.count === 0 || !wereWhole(o)) return undefined
    const text = write(...Array.from({ length: o.count }, (_, i) => o.number(i)))
    return number(text, grows ? [...wholes(o), `(hd_small ${text})`] : wholes(o))
  }
}

/** Order among numbers and what turns into numbers without much ado: undefined (not a number, so nothing holds), null, booleans. */
function compare(operator: string): Encode {
  return (o) => {
    if (o.count !== 2 || !o.wasSimple(0) || !o.wasSimple(1)) return undefined
    const guards: string[] = []
    const parts: string[] = []
    const numbers = [0, 1].map((i) => {
      const value = o.number(i)
      if (o.isWhole(i)) return value
      guards.push(`(hd_simple ${value})`)
      parts.push(`(not (hd_nan ${value}))`)
      return `(hd_number ${value})`
    })
    const text = `(${operator} ${numbers.join(' ')})`
    return bool(parts.length === 0 ? text : `(and ${parts.join(' ')} ${text})`, guards)
  }
}

/** Operand `i` must be a whole number. */
function guarded(o: Operands, i: number, encoded: Encoded | undefined): Encoded | undefined {
  return encoded && !o.isWhole(i) ? { ...encoded, guards: [`(hd_int ${o.number(i)})`, ...(encoded.guards ?? [])] } : encoded
}

/** The second operand is fixed. */
function byConstant(write: ByConstant): Encode {
  return (o) => {
    if (o.count !== 2 || !wereWhole(o)) return undefined
    return guarded(o, 0, write(o.number(0), o.fix(1), o.was(0)))
  }
}

/** As `byConstant`, for operators in which either may be the constant: the one that costs less freedom. */
function byEither(write: ByConstant): Encode {
  return (o) => {
    if (o.count !== 2 || !wereWhole(o)) return undefined
    const fixed = o.freedom(0) < o.freedom(1) ? 0 : 1
    return guarded(o, 1 - fixed, write(o.number(1 - fixed), o.fix(fixed), o.was(1 - fixed)))
  }
}

function equality(negated: boolean, loose: boolean): Encode {
  return (o) => {
    if (o.count !== 2 || (loose && !o.wereAlike())) return undefined
    const [a, b] = [o.value(0), o.value(1)]
    const constants = [o.constant(0), o.constant(1)]
    const isNull = constants.some((c) => c !== undefined && (c.value === null || c.value === undefined))
    let text = `(hd_same ${a} ${b})`
    const guards: string[] = []
    if (loose && isNull) text = `(and (hd_nullish ${a}) (hd_nullish ${b}))`
    else if (loose) {
      text = `(hd_loose ${a} ${b})`
      guards.push(`(hd_alike ${a} ${b})`)
    } else if (o.isWhole(0) || o.isWhole(1) || constants.some((c) => c !== undefined && !Number.isNaN(c.value))) text = `(= ${a} ${b})`
    return bool(negated ? `(not ${text})` : text, guards)
  }
}

/** Whole numbers stay what they are. */
const first: Encode = (o) =>
  o.count > 0 && o.wasWhole(0) ? number(o.number(0), o.isWhole(0) ? [] : [`(hd_int ${o.number(0)})`]) : undefined

const typeOf: Encode = (o) => {
  if (o.count !== 1) return undefined
  const v = o.value(0)
  const special = `(ite (= ${v} ${UNDEFINED_CODE}) ${o.term('undefined')} (ite (= ${v} ${o.term(null)}) ${o.term('object')} ${o.term('boolean')}))`
  const text = TYPES.reduceRight((rest, [below, type]) => `(ite (< ${v} ${below}) ${o.term(type)} ${rest})`, special)
  return { text, sort: 'Int', guards: [`(not (and (<= ${OTHERS_FROM} ${v}) (< ${v} ${SPECIAL_FROM})))`, `(not (= ${v} ${ABSENT_CODE}))`] }
}

/** Every operand doubles the text. */
const MOST_FOLDED = 4
const fold = (operator: string): Encode => {
  const encode = onWholes((...values) => values.reduce((a, b) => `(ite (${operator} ${a} ${b}) ${a} ${b})`), false)
  return (o) => (o.count <= MOST_FOLDED ? encode(o) : undefined)
}

export const ENCODE: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ['+', onWholes((a, b) => `(+ ${a} ${b})`, true)],
  ['-', onWholes((a, b) => `(- ${a} ${b})`, true)],
  ['*', byEither((a, c) => number(`(* ${whole(c)} ${a})`, [`(hd_small (* ${whole(c)} ${a}))`]))],
  ['/', byConstant((a, c) => (c === 0 ? undefined : number(`(div ${a} ${whole(c)})`, [`(= (mod ${a} ${whole(c)}) 0)`])))],
  [
    '%',
    byConstant((a, c) => {
      const by = whole(Math.abs(c))
      return c === 0 ? undefined : number(`(ite (>= ${a} 0) (mod ${a} ${by}) (- (mod (- ${a}) ${by})))`, [])
    }),
  ],
  ['&', byEither(bitAnd)],
  ['|', byEither(bitOr)],
  ['^', byEither(bitXor)],
  ['<<', byConstant(shiftLeft)],
  ['>>', byConstant(shiftRight)],
  ['>>>', byConstant(shiftRightUnsigned)],
  ['<', compare('<')],
  ['<=', compare('<=')],
  ['>', compare('>')],
  ['>=', compare('>=')],
  ['===', equality(false, false)],
  ['!==', equality(true, false)],
  ['==', equality(false, true)],
  ['!=', equality(true, true)],
  ['!', (o) => (o.count === 1 ? bool(`(not ${o.bool(0)})`) : undefined)],
  ['neg', onWholes((a) => `(- ${a})`, false)],
  ['~', (o) => (o.count === 1 && o.wasWhole(0) ? guarded(o, 0, bitNot(o.number(0), o.was(0))) : undefined)],
  ['inc', onWholes((a) => `(+ ${a} 1)`, true)],
  ['dec', onWholes((a) => `(- ${a} 1)`, true)],
  ...['plus', 'num', 'call Number', 'call Math.floor', 'call Math.ceil', 'call Math.round', 'call Math.trunc'].map(
    (name): [string, Encode] => [name, first],
  ),
  ['typeof', typeOf],
  ['has', (o) => (o.count === 1 ? bool(`(not (= ${o.value(0)} ${ABSENT_CODE}))`) : undefined)],
  [
    'get',
    (o) => (o.count === 1 ? { text: `(ite (= ${o.value(0)} ${ABSENT_CODE}) ${UNDEFINED_CODE} ${o.value(0)})`, sort: 'Int' } : undefined),
  ],
  ['taken', (o) => (o.count === 2 ? { text: `(ite (= ${o.value(0)} 0) ${UNDEFINED_CODE} ${o.value(1)})`, sort: 'Int' } : undefined)],
  ['call Boolean', (o) => (o.count === 1 ? bool(o.bool(0)) : undefined)],
  ['call Math.max', fold('>=')],
  ['call Math.min', fold('<=')],
  ['call Math.abs', onWholes((a) => `(ite (>= ${a} 0) ${a} (- ${a}))`, false)],
  ['call Math.sign', onWholes((a) => `(ite (> ${a} 0) 1 (ite (< ${a} 0) (- 1) 0))`, false)],
  ['call Number.isNaN', (o) => (o.count === 1 ? bool(`(= ${o.value(0)} ${NAN_CODE})`) : undefined)],
  ['call Number.isSafeInteger', (o) => (o.count === 1 ? bool(`(hd_int ${o.value(0)})`) : undefined)],
])
