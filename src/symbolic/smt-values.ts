/**
 * Values as whole numbers, for Z3. A safe integer is itself; everything else has a code beyond all of them, so that arithmetic needs no decoding and
 * `===` is `=`. Codes of a sort lie together, which makes the sort a comparison:
 *
 *   … 2^53       whole numbers (-0 is 0: what tells them apart is not translated)
 *   2^54 +       other numbers; NaN is the first of them
 *   2^55 +       strings; the empty one is the first
 *   2^56 +       bigints; 0n is the first
 *   2^57 +       objects, 2^58 + functions, 2^59 + what may be either, or a symbol
 *   2^60 +       undefined, null, false, true; the absent key of a Map
 */
import { ABSENT, same } from './known.ts'
import { operationOf } from './operators.ts'
import type { Value } from '../trace/values.ts'

export const MOST = Number.MAX_SAFE_INTEGER

const NUMBERS = 2n ** 54n
const STRINGS = 2n ** 55n
const BIGINTS = 2n ** 56n
const OBJECTS = 2n ** 57n
const FUNCTIONS = 2n ** 58n
const OTHERS = 2n ** 59n
const SPECIAL = 2n ** 60n

export const UNDEFINED_CODE = String(SPECIAL)
export const NULL_CODE = String(SPECIAL + 1n)
export const FALSE_CODE = String(SPECIAL + 2n)
export const TRUE_CODE = String(SPECIAL + 3n)
export const ABSENT_CODE = String(SPECIAL + 4n)
export const NAN_CODE = String(NUMBERS)
const EMPTY_CODE = String(STRINGS)
const ZERO_BIGINT_CODE = String(BIGINTS)

/** Every text starts with this. */
export const SMT_PRELUDE = `
(define-fun hd_int ((v Int)) Bool (< v ${NUMBERS}))
(define-fun hd_nullish ((v Int)) Bool (or (= v ${UNDEFINED_CODE}) (= v ${NULL_CODE})))
(define-fun hd_truthy ((v Int)) Bool
  (not (or (= v 0) (= v ${FALSE_CODE}) (hd_nullish v) (= v ${EMPTY_CODE}) (= v ${NAN_CODE}) (= v ${ZERO_BIGINT_CODE}))))
(define-fun hd_value ((b Bool)) Int (ite b ${TRUE_CODE} ${FALSE_CODE}))
(define-fun hd_same ((a Int) (b Int)) Bool (and (= a b) (not (= a ${NAN_CODE}))))
(define-fun hd_kind ((v Int)) Int
  (ite (< v ${STRINGS}) 0 (ite (< v ${BIGINTS}) 1 (ite (< v ${OBJECTS}) 2 (ite (< v ${SPECIAL}) 3 (ite (< v ${FALSE_CODE}) 4 5))))))
(define-fun hd_loose ((a Int) (b Int)) Bool (or (hd_same a b) (and (hd_nullish a) (hd_nullish b))))
(define-fun hd_alike ((a Int) (b Int)) Bool (or (hd_nullish a) (hd_nullish b) (= (hd_kind a) (hd_kind b))))
(define-fun hd_32 ((v Int)) Int (- (mod (+ v 2147483648) 4294967296) 2147483648))
(define-fun hd_is32 ((v Int)) Bool (and (<= (- 2147483648) v) (<= v 2147483647)))
(define-fun hd_nan ((v Int)) Bool (or (= v ${NAN_CODE}) (= v ${UNDEFINED_CODE})))
(define-fun hd_simple ((v Int)) Bool (or (<= v ${NAN_CODE}) (and (<= ${SPECIAL} v) (< v ${ABSENT_CODE}))))
(define-fun hd_number ((v Int)) Int (ite (< v ${NUMBERS}) v (ite (= v ${TRUE_CODE}) 1 0)))
(define-fun hd_small ((v Int)) Bool (and (<= (- ${MOST}) v) (<= v ${MOST})))
`.trim()

/** The type as a string, for values of each sort; `typeof` of OTHERS is not known. */
export const TYPES: readonly (readonly [below: string, type: string])[] = [
  [String(STRINGS), 'number'],
  [String(BIGINTS), 'string'],
  [String(OBJECTS), 'bigint'],
  [String(FUNCTIONS), 'object'],
  [String(OTHERS), 'function'],
]
export const OTHERS_FROM = String(OTHERS)
export const SPECIAL_FROM = String(SPECIAL)

export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

export const isSimple = (value: unknown): boolean =>
  isWhole(value) || value === undefined || value === null || typeof value === 'boolean' || Number.isNaN(value)

/** A number as SMT-LIB writes it. */
export const whole = (n: number | bigint): string => (n < 0 ? `(- ${-n})` : String(BigInt(n)))

/** One for all texts that are used together. */
export class ValueCodes {
  private readonly codes = new Map<string, bigint>([
    [keyOf(NaN), NUMBERS],
    [keyOf(''), STRINGS],
    [keyOf(0n), BIGINTS],
  ])
  private readonly values = new Map<bigint, Value>([
    [NUMBERS, NaN],
    [STRINGS, ''],
    [BIGINTS, 0n],
    [SPECIAL, undefined],
    [SPECIAL + 1n, null],
    [SPECIAL + 2n, false],
    [SPECIAL + 3n, true],
    [SPECIAL + 4n, ABSENT],
  ])

  /** The term for a value. */
  termOf(value: Value): string {
    if (value === undefined) return UNDEFINED_CODE
    if (value === null) return NULL_CODE
    if (typeof value === 'boolean') return value ? TRUE_CODE : FALSE_CODE
    if (isWhole(value)) return whole(value)
    if (same(value, ABSENT)) return ABSENT_CODE
    const key = keyOf(value)
    let code = this.codes.get(key)
    if (code === undefined) {
      code = baseOf(value) + BigInt(this.codes.size)
      this.codes.set(key, code)
      this.values.set(code, value)
    }
    return String(code)
  }

  /** What a number in Z3's answer stands for: as Z3 writes it, `(- 5)` for -5. Undefined twice over is possible, so nothing is `null`. */
  valueOf(text: string): { readonly value: Value } | undefined {
    const digits = /^\(\s*-\s+(\d+)\s*\)$/.exec(text.trim())
    const code = BigInt(digits ? `-${digits[1]}` : text.trim())
    if (code < NUMBERS) return code >= -BigInt(MOST) && code <= BigInt(MOST) ? { value: Number(code) } : undefined
    return this.values.has(code) ? { value: this.values.get(code) } : undefined
  }
}

const keyOf = (value: Value): string =>
  typeof value === 'object' && value !== null ? `o${value.object}` : `${typeof value} ${String(value)}`

const typeOf = operationOf('typeof')

function baseOf(value: Value): bigint {
  switch (typeof value) {
    case 'number':
      return NUMBERS
    case 'string':
      return STRINGS
    case 'bigint':
      return BIGINTS
    default: {
      const type = typeOf([value])
      return type === 'object' ? OBJECTS : type === 'function' ? FUNCTIONS : OTHERS
    }
  }
}
