/**
 * Every error a user can cause, one function each: a code, the fact, and what to do about it. Our own mistakes are plain Errors
 * ("assert"); an expected "no" is a value, not an exception. The command line prints these as `heddle: FACT. REMEDY` and exits with 2.
 */

export class HeddleError extends Error {
  constructor(
    readonly code: string,
    readonly fact: string,
    readonly remedy: string,
  ) {
    super(`${fact}. ${remedy}`)
    this.name = 'HeddleError'
  }
}

const MAX_QUOTE = 60

/** Program and file text inside a message: one line, no control characters, cut to a readable length. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text
  return JSON.stringify(cut)
}
