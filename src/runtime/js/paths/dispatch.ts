/** How a call is carried out: by the callee itself, by a function that only computes, or by a native one that is followed or not. */
import { invoke, native } from './calls.ts'
import { isNative, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { branch, many, opaque, pinAll, T } from './expressions.ts'
import { adopt, HANDLERS } from './handlers.ts'
import { turnStart } from './here.ts'
import { noteSettler } from './promises.ts'
import { PURE, type Pure } from './pure.ts'
import './arrays.ts'
import './entries.ts'
import './whole.ts'

const functionCall: unknown = Function.prototype.call
const functionApply: unknown = Function.prototype.apply
const { apply } = Reflect

/** Calls `callee` and leaves the tag of what it gave. */
export function call(callee: AnyFunction, self: unknown, ts: number, args: unknown[], tags: number[] | undefined, site: number): unknown {
  if (!isNative(callee)) return invoke(callee, self, ts, args, tags)
  const pure = PURE.get(callee)
  if (pure !== undefined) return compute(pure, callee, self, ts, args, tags, site)
  const handler = HANDLERS.get(callee)
  if (handler !== undefined) return handler(callee, self, ts, args, tags, site)
  if (callee === functionCall && typeof self === 'function') {
    return call(self as AnyFunction, args[0], tags?.[0] ?? 0, args.slice(1), tags?.slice(1), site)
  }
  if (callee === functionApply && typeof self === 'function') return handOn(self as AnyFunction, args[0], args[1], tags, site)
  if (callee === apply && typeof args[0] === 'function') return handOn(args[0] as AnyFunction, args[1], args[2], tags, site)
  noteSettler(callee, args, tags)
  return native(callee, self, ts, args, tags, 0)
}

/** With a list of arguments. */
function handOn(callee: AnyFunction, self: unknown, list: unknown, tags: number[] | undefined, site: number): unknown {
  if (list === undefined || list === null) return call(callee, self, tags?.[0] ?? 0, [], [], site)
  // Something that only looks like a list may run code of the program when it is read.
  if (Array.isArray(list)) return call(callee, self, 0, Array.from(list as unknown[]), undefined, site)
  return native(apply as AnyFunction, undefined, 0, [callee, self, list], [0, 0, 0], 0)
}

function compute(
  pure: Pure,
  callee: AnyFunction,
  self: unknown,
  ts: number,
  args: unknown[],
  tags: number[] | undefined,
  site: number,
): unknown {
  if (!pure.takesObjects && (args.some(isObject) || (pure.isMethod && isObject(self)))) return native(callee, self, ts, args, tags, 0)
  const values = pure.isMethod ? [self, ...args] : args
  const operator = `call ${pure.name}`
  const tagOf = (result: unknown): number => {
    if (values.length === 0) return 0
    if (tags === undefined) return opaque(result, ts, 0, 0, turnStart)
    return many(operator, values, pure.isMethod ? [ts, ...tags] : tags, result)
  }
  let result: unknown
  try {
    result = apply(callee, self, args)
  } catch (error) {
    branch(site, 'throws', true, tagOf(undefined))
    throw error
  }
  const tag = tagOf(result)
  if (pure.mayThrow) branch(site, 'throws', false, tag)
  if (!isObject(result)) T.t = tag
  else {
    T.t = opaque(result, tag)
    adopt(result, T.t)
  }
  return result
}

/** Calls `new callee` of a native one. */
export function construct(callee: AnyFunction, args: unknown[], tags: number[] | undefined): unknown {
  const result = native(callee, undefined, 0, args, tags, 0, true)
  adopt(result, T.t)
  T.t = 0
  return result
}

/** Threads that begin do so with all that was read. */
export function notFollowedNew(callee: AnyFunction): void {
  if (callee.name === 'Worker') pinAll()
}

/** What a thread sends, and that the program ends, nobody follows: it depends on all that was read. */
export function notFollowed(base: object, key: unknown): void {
  if (key === 'postMessage' || (key === 'exit' && base === process)) pinAll()
}
