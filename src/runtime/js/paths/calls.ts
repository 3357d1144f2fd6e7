/**
 * What is passed to a function with its arguments, and what it returns. A call of a function that may be instrumented leaves a record, which the
 * function takes when it begins. Native functions get none, and their callbacks get their arguments from them.
 */
import { types } from 'node:util'
import { lastPromise } from '../core.ts'
import type { AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { opaque, opaqueOver, oldest, setOldest, T, unknown, use } from './expressions.ts'
import { rows, turnStart } from './here.ts'
import { isSeen, made } from './objects.ts'
import { came, isSettler, Outcome, reactionNow, settles, settlesWith } from './promises.ts'

export type { AnyFunction } from './carry.ts'

export class Call extends Outcome {
  taken = false
  /** What was true around it. */
  outer: Call | undefined = undefined
  outerOldest = 0
  /** It is the callback of a promise: what it gives settles this one. */
  reaction: Outcome | undefined = undefined
  /** ... and it was waiting for this one. */
  waited: object | undefined = undefined
  constructor(
    readonly args: readonly unknown[],
    readonly tags: readonly number[] | undefined,
    /** The receiver, and for native functions what they read. */
    readonly self: number,
    readonly more: number,
    /** The tag that the first row of the call would have. */
    public since: number,
    /** Called back by the native function that this call is of: arguments are made by it. */
    readonly by: Call | undefined,
    /** Native: is it `new Promise`? */
    readonly makesPromise = false,
  ) {
    super()
  }
}

/** A call that nobody has taken yet. */
let pending: Call | undefined
/** The native function that runs now. */
let around: Call | undefined

const { apply, construct: constructing } = Reflect

/**
 * A call of a function that is not native begins: `entering`, then the call itself, `left` whatever happens, `gave` if it returned. Hooks do this themselves:
 * each function between the program's own is one more on its stack.
 */
export function entering(args: unknown[], tags: number[] | undefined, ts: number): Call {
  const call = new Call(args, tags, ts, 0, rows.count + 1, undefined)
  call.outerOldest = oldest
  call.outer = around
  pending = call
  around = undefined
  setOldest(Infinity)
  return call
}

export function left(call: Call): void {
  pending = undefined
  around = call.outer
  if (oldest < call.since) call.since = oldest
  if (call.outerOldest < oldest) setOldest(call.outerOldest)
}

export function gave(call: Call, result: unknown, self: unknown): unknown {
  // Printing gives nothing, whatever is printed.
  T.t = result === undefined && self === console ? 0 : resultOf(call, result)
  return result
}

/** The same for `new`. */
export function constructed(call: Call, result: unknown): unknown {
  gave(call, result, undefined)
  // A new object is what it is; what was put into it by code that nobody looks into depends on what that got.
  if (isObject(result) && !call.returned) {
    if (!isSeen(result)) made(result).origin = T.t
    T.t = 0
  }
  return result
}

/** Carries out a call of a function that is not native, where depth does not matter. */
export function invoke(callee: AnyFunction, self: unknown, ts: number, args: unknown[], tags: number[] | undefined): unknown {
  const call = entering(args, tags, ts)
  let result: unknown
  try {
    result = apply(callee, self, args)
  } finally {
    left(call)
  }
  return gave(call, result, self)
}

/** The tag of what a call gave. */
function resultOf(call: Call, result: unknown): number {
  if (call.taken) {
    if (call.returned && Object.is(call.value, result)) return call.tag
    if (result === undefined) return 0
    if (isObject(result)) {
      if (types.isPromise(result)) {
        settles(result, call)
        return 0
      }
      // A constructor, or a generator: it was made just now.
      if (!isSeen(result)) return 0
    }
  }
  return opaqueOver(result, call.tags, call.self, call.tags === undefined ? turnStart : call.since)
}

/** Carries out a call of a native function. Leaves what it gave as not followed, over all it got. `more`: what it reads. */
export function native(
  callee: AnyFunction,
  self: unknown,
  ts: number,
  args: unknown[],
  tags: number[] | undefined,
  more: number,
  construct = false,
): unknown {
  const isPromise = (callee as unknown) === Promise
  const call = new Call(args, tags, ts, more, rows.count + 1, undefined, isPromise)
  call.outerOldest = oldest
  call.outer = around
  pending = undefined
  around = call
  setOldest(Infinity)
  let result: unknown
  try {
    result = construct ? constructing(callee, args) : apply(callee, self, args)
  } finally {
    left(call)
  }
  if (result === undefined && NOTHING.has(callee)) T.t = 0
  else if (isObject(result) && types.isPromise(result)) {
    if (isPromise) settles(result, call)
    T.t = 0
  } else {
    const over = tags === undefined ? turnStart : call.since
    T.t = opaqueOver(result, tags === undefined ? [more] : more === 0 ? tags : [...tags, more], ts, over)
  }
  return result
}

/** Give undefined, whatever happens. */
const NOTHING = new Set<unknown>([
  Array.prototype.forEach,
  Map.prototype.forEach,
  Set.prototype.forEach,
  clearTimeout,
  clearInterval,
  clearImmediate,
  queueMicrotask,
])

/** At the begin of a function. */
export function begun(isAsync: boolean): Call | undefined {
  let call = pending
  if (call !== undefined) {
    pending = undefined
    call.taken = true
  } else {
    const reaction = around === undefined ? reactionNow() : undefined
    if (!isAsync && around === undefined && reaction === undefined) return undefined
    call = new Call(NONE, undefined, 0, 0, rows.count + 1, around)
    if (reaction !== undefined) {
      call.waited = reaction.from
      // Not kept, or a long chain of promises would be.
      reaction.from = undefined
      if (isAsync) settlesWith(reaction, lastPromise, 0)
      else call.reaction = reaction
    }
  }
  // The engine has made the promise of the function right before.
  if (isAsync && lastPromise !== undefined) settles(lastPromise, call)
  return call
}

const NONE: readonly unknown[] = []

/** The tag of parameter number `index`. */
export function argument(call: Call | undefined, index: number, value: unknown): number {
  // Nobody knows who called.
  if (call === undefined) return value === undefined ? 0 : unknown(value)
  if (call.waited !== undefined) return index === 0 ? came(call.waited, 0, value) : 0
  const by = call.by
  if (by !== undefined) {
    if (by.makesPromise && index < 2 && typeof value === 'function') {
      isSettler(value, by)
      return 0
    }
    return opaqueOver(value, by.tags === undefined ? [by.more] : [...by.tags, by.more], by.self, Math.min(by.since, oldest))
  }
  if (call.tags === undefined) return opaque(value, call.self, 0, 0, turnStart)
  if (index < call.args.length && Object.is(call.args[index], value)) return use(call.tags[index] ?? 0)
  // A default; or it was somebody else who called.
  if (call.args[index] === undefined) return opaque(value, call.tags[index] ?? 0)
  return opaqueOver(value, call.tags, call.self)
}

export function returns(call: Call | undefined, value: unknown, tag: number): void {
  if (call === undefined) return
  const outcome = call.reaction ?? call
  outcome.returned = true
  outcome.value = value
  outcome.tag = tag
}
