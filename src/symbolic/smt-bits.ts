/**
 * Operators on bits as arithmetic with constants. Z3 is slow on remainders, so that a number that had 32 bits in the recorded run is asked to have no more
 * in another one, either; only where it had more is it cut.
 */

export interface Encoded {
  readonly text: string
  readonly sort: 'Int' | 'Bool'
  /** What must hold for the term to be right. */
  readonly guards?: readonly string[]
  /** Sure to be a whole number. */
  readonly isWhole?: boolean
}

/** `a` and the value it had in the recorded run; the constant. */
export type ByConstant = (a: string, c: number, was: number) => Encoded | undefined

export const number = (text: string, guards: readonly string[]): Encoded => ({ text, sort: 'Int', guards, isWhole: true })

/** More bits make terms that Z3 is slow on. */
const MOST_BITS = 4
const bitsOf = (c: number): number[] => Array.from({ length: 31 }, (_, i) => i).filter((i) => ((c >> i) & 1) === 1)
const bit = (a: string, i: number): string => `(mod (div ${a} ${2 ** i}) 2)`
const sum = (parts: readonly string[]): string => (parts.length === 0 ? '0' : parts.length === 1 ? parts[0]! : `(+ ${parts.join(' ')})`)

/** ToInt32. */
function cut(text: string, was: number): { readonly text: string; readonly guards: readonly string[] } {
  return was === (was | 0) ? { text, guards: [`(hd_is32 ${text})`] } : { text: `(hd_32 ${text})`, guards: [] }
}

const isMask = (c: number): boolean => c >= 0 && c < 2 ** 31 && bitsOf(c).length <= MOST_BITS

export const bitAnd: ByConstant = (a, c) => {
  // Low bits of a two's complement are a remainder, whatever the sign.
  if (c >= 0 && c < 2 ** 31 && ((c + 1) & c) === 0) return number(`(mod ${a} ${c + 1})`, [])
  return isMask(c) ? number(sum(bitsOf(c).map((i) => `(* ${2 ** i} ${bit(a, i)})`)), []) : undefined
}

/** What each bit of the constant adds, given that bit of `a`. */
function adding(part: (bit: string) => string): ByConstant {
  return (a, c, was) => {
    if (!isMask(c)) return undefined
    const { text, guards } = cut(a, was)
    return number(sum([text, ...bitsOf(c).map((i) => `(* ${2 ** i} ${part(bit(a, i))})`)]), guards)
  }
}
export const bitOr = adding((b) => `(- 1 ${b})`)
export const bitXor = adding((b) => `(- 1 (* 2 ${b}))`)

export function bitNot(a: string, was: number): Encoded {
  const { text, guards } = cut(a, was)
  return number(`(- (- ${text}) 1)`, guards)
}

export const shiftLeft: ByConstant = (a, c, was) => {
  const by = 2 ** (c & 31)
  const { text, guards } = cut(`(* ${a} ${by})`, was * by)
  return number(text, guards)
}

export const shiftRight: ByConstant = (a, c, was) => {
  const { text, guards } = cut(a, was)
  return number(`(div ${text} ${2 ** (c & 31)})`, guards)
}

export const shiftRightUnsigned: ByConstant = (a, c) => number(`(div (mod ${a} 4294967296) ${2 ** (c & 31)})`, [])
