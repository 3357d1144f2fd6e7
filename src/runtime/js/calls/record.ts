/** Writes one call to the trace: a head (`call`, `ret`, `done`) and its operands, as docs/property-language.md defines them. */
import { types } from 'node:util'
import { ANSWER, ARGUMENT, CALL, RETURN } from '../../../trace/ops.ts'
import { NONE } from '../../../trace/trace.ts'
import { NOT_OBSERVED } from '../../../trace/values.ts'
import { valueCode } from '../memory/value.ts'
import type { Session } from '../session.ts'
import { settle } from '../turns.ts'
import type { Moments } from './watches.ts'

/** A call that is under way, or waits for its answer. Holds no object of the program. */
export interface Call {
  readonly moments: Moments
  /** The session's numbers. */
  readonly name: number
  readonly receiver: number
  readonly args: readonly number[]
  readonly site: number
  /** Has the answer been written? */
  answered: boolean
}

/** How a call ended. Undefined where that is not known. */
export type Outcome = { readonly returns: unknown } | { readonly throws: unknown } | undefined

const LONGEST = 200
const ARGUMENTS: number[] = []

let session: Session
let returns = NONE
let throws = NONE

export function startRecording(in_: Session): void {
  session = in_
  returns = session.names.intern('returns')
  throws = session.names.intern('throws')
}

/** Told of every call before it is made: what waits for one to be made goes on. Its name is the last one. */
let hears: ((name: string, site: number) => void) | undefined

export function onCall(listener: (name: string, site: number) => void): void {
  hears = listener
}

const argumentName = (i: number): number => (ARGUMENTS[i] ??= session.names.intern(String(i + 1)))

export const nameNumber = (name: string): number => session.names.intern(name)

/** The arguments are those of now: the callee may change them. */
export function called(moments: Moments, name: number, receiver: unknown, args: ArrayLike<unknown>, site: number): Call {
  const codes: number[] = []
  for (let i = 0; i < args.length && i < moments.args; i++) codes.push(operand(args[i]))
  const call = {
    moments,
    name,
    receiver: receiver === undefined ? NOT_OBSERVED : operand(receiver, true),
    args: codes,
    site,
    answered: false,
  }
  if (moments.before) add(CALL, call)
  if (hears !== undefined) hears(session.names.at(name).split('.').at(-1)!, site)
  return call
}

export const returned = (call: Call, outcome: Outcome): void => add(RETURN, call, outcome)
export const answered = (call: Call, outcome: Outcome): void => add(ANSWER, call, outcome)

function add(op: number, { name, receiver, args, site }: Call, outcome?: Outcome): void {
  settle()
  session.add(op, name, receiver, site)
  for (let i = 0; i < args.length; i++) session.add(ARGUMENT, argumentName(i), args[i])
  if (outcome === undefined) return
  if ('returns' in outcome) session.add(ARGUMENT, returns, operand(outcome.returns))
  else session.add(ARGUMENT, throws, session.values.codeOf(errorText(outcome.throws)))
}

/** Functions say nothing about a call, except as its receiver. */
function operand(value: unknown, isReceiver = false): number {
  return typeof value === 'function' && !isReceiver ? NOT_OBSERVED : valueCode(session.values, value)
}

/** Code, name and message, without asking the error for anything it would have to compute. */
export function errorText(error: unknown): string {
  const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function'
  const text = isObject
    ? ['code', 'name', 'message']
        .map((key) => plainProperty(error, key))
        .filter((part) => part !== undefined && part !== '')
        .join(' ')
    : String(error)
  return text.slice(0, LONGEST)
}

function plainProperty(object: object, key: string): string | undefined {
  for (let at: object | null = object; at !== null && !types.isProxy(at); at = Object.getPrototypeOf(at) as object | null) {
    const property = Object.getOwnPropertyDescriptor(at, key)
    if (property === undefined) continue
    const value: unknown = property.value
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return undefined
}
