/** Every error of a client file, one function each. Lexical errors are those of the property language (`src/property/errors.ts`). */
import { HeddleError, quote } from '../errors.ts'
import { didYouMean } from '../base/closest.ts'
import type { Position } from '../property/ast.ts'
import type { Fault } from '../property/faults.ts'

const fault =
  (code: string) =>
  (at: Position, fact: string, remedy: string): Fault => ({ code: `client-${code}`, at, fact, remedy })

export const fileUnreadable = (path: string, why: string): HeddleError =>
  new HeddleError('client-file-unreadable', `Client file ${quote(path)} cannot be read: ${why}`, 'Check the path and its permissions')

export const unknownWord = (at: Position, what: string, word: string, near: string | undefined, known: readonly string[]): Fault =>
  fault('unknown-word')(at, `${quote(word)} is no ${what}`, didYouMean(near, `Known: ${known.join(', ')}`))

export const clauseTwice = (at: Position, clause: string): Fault =>
  fault('clause-twice')(at, `${clause} was said already`, 'Keep one of them')

export const clauseMissing = (at: Position, whose: string, clause: string, example: string): Fault =>
  fault('clause-missing')(at, `${whose} does not say ${clause}`, `Write ${example}`)

export const clientTwice = (at: Position, name: string): Fault =>
  fault('client-twice')(at, `There are two clients ${quote(name)}`, 'Give each a name of its own')

export const delayOfReturned = (at: Position): Fault =>
  fault('delay-of-returned')(at, 'A call whose answer is there when it returns cannot be delayed', 'Leave delay: out')
