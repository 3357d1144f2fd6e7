/**
 * One call of a client as an operation: posted where the program makes it, begun and answered through the boundary, with its statement or command in
 * the trace when the answer is known. What the client does internally (its pool, its connection, its timers) is not recorded. A call inside a call is
 * part of the outer one.
 */
import type { Answer, Call } from '../../../clients/client.ts'
import { beside, current, isOwn, post, postInTask, runInside, type Op } from '../core.ts'
import type { AnyFunction } from '../resources/stand-in.ts'
import type { RequestRow, Session } from '../session.ts'
import { callChain, isCalledByPackage } from '../stack.ts'
import { settle } from '../turns.ts'
import { answer } from './answering.ts'
import { beginIn, laneOf } from './lanes.ts'
import { holderOf, operandAt, resultAt, textOf, valueAt } from './operands.ts'

/** A call of a client, with the name that the trace has for it: `pg.query`. */
export interface Declared {
  readonly client: string
  /** Its statements are texts: an object in their place has the text somewhere inside. */
  readonly isText: boolean
  readonly call: Call
}

let session: Session | undefined
const pending = new Map<Op, RequestRow>()

export function startRequests(in_: Session): void {
  session = in_
  // What was never answered may have happened.
  session.beforeEnd.push(() => {
    for (const [op, row] of pending) session!.addRequest(op, row)
    pending.clear()
  })
}

/** How this call will be answered, as far as it can be told before it is made. */
interface Form {
  readonly kind: 'callback' | 'settle' | 'events' | 'promise' | 'returned'
  readonly answer: Answer
  /** It gives back a promise as well, which the client itself settles by these functions. */
  readonly promises?: boolean
}

function formOf({ answer: answers }: Call, receiver: unknown, args: unknown[]): Form | undefined {
  let last: Form | undefined
  for (const one of answers) {
    const at = 'at' in one && one.at !== undefined ? valueAt(one.at, receiver, args) : undefined
    if (one.kind === 'callback' || one.kind === 'settle') {
      if (typeof at === 'function' && !isClass(at))
        return { kind: one.kind, answer: one, promises: one.kind === 'settle' && answers.some(({ kind }) => kind === 'promise') }
    } else if (one.kind === 'events' && one.at !== undefined) {
      if (isEmitter(at)) return { kind: 'events', answer: one }
    } else last ??= { kind: one.kind, answer: one }
  }
  return last
}

/** Nobody calls a class back: MongoDB's driver is given the class of its answer where it was given a callback before. */
const isClass = (value: object): boolean => Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false

const isEmitter = (value: unknown): value is { emit: AnyFunction } =>
  typeof value === 'object' && value !== null && typeof (value as { emit?: unknown }).emit === 'function'

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

export function requestOf({ client, isText, call }: Declared, original: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    if (session === undefined || isOwn()) return Reflect.apply(original, this, args) as unknown
    const form = formOf(call, this, args)
    if (form === undefined) return Reflect.apply(original, this, args) as unknown
    const text = operandAt(call.text, this, args, isText)
    const lane = laneOf(call.queue && valueAt(call.queue, this, args))
    const row: RequestRow | undefined =
      text === undefined
        ? undefined
        : {
            name: `${client}.${call.method}`,
            lane: lane?.number ?? 0,
            text: textOf(text),
            params: textOf(operandAt(call.params, this, args) ?? []),
          }
    const resultOf = (answered: unknown): unknown => resultAt(call.result ?? [], answered)
    if (form.kind === 'returned') return now(row, () => Reflect.apply(original, this, args) as unknown)
    const type = `${client} ${call.method}`
    const op =
      current.task !== undefined && isCalledByPackage()
        ? postInTask('request', type, {}, lane?.number ?? 0, `${type} ${row === undefined ? '' : shapeOf(row.text)}`)
        : post('request', type, {}, lane?.number ?? 0)
    if (row !== undefined) pending.set(op, row)
    return asked(op, form, { receiver: this, args, original, lane, resultOf })
  }
}

/** It is over when the call returns: its effect is part of the running turn. */
function now(row: RequestRow | undefined, action: () => unknown): unknown {
  let error: unknown
  try {
    return beside(action)
  } catch (thrown) {
    error = thrown ?? true
    throw thrown
  } finally {
    if (row !== undefined) {
      settle()
      session!.addRequest(undefined, failed(row, error), callChain(session!.sites, session!.config.root))
    }
  }
}

/** A statement without the values in it, which may be others in the next run. */
const shapeOf = (text: string): string => text.slice(0, LONGEST_SHAPE).replaceAll(/'(?:[^']|'')*'|\d+/g, '?')
const LONGEST_SHAPE = 1000

interface Asked {
  readonly receiver: unknown
  readonly args: unknown[]
  readonly original: AnyFunction
  readonly lane: ReturnType<typeof laneOf>
  /** The first value of an answer. */
  readonly resultOf: ResultOf
}
type ResultOf = (answered: unknown) => unknown

function asked(op: Op, form: Form, { receiver, args, original, lane, resultOf }: Asked): unknown {
  const promised = form.kind === 'promise' || form.promises ? withResolvers() : undefined
  const give = form.kind === 'promise' ? { ok: promised!.resolve, failed: promised!.reject } : undefined
  if (form.kind === 'callback' || form.kind === 'settle') replaceCallbacks(op, form.answer, receiver, args, resultOf)
  let state: 'waits' | 'begun' = 'waits'
  let result: unknown
  let thrown: { readonly error: unknown } | undefined
  const start = (): void => {
    const late = state === 'waits' && wasHeld
    state = 'begun'
    try {
      result = Reflect.apply(original, receiver, args)
    } catch (error) {
      thrown = { error }
      pending.delete(op)
      if (late && promised) answer(op, () => promised.reject(error))
      return
    }
    if (give && isThenable(result)) {
      result.then(
        (value) => finish(op, undefined, () => give.ok(value), resultOf(value)),
        (error: unknown) => finish(op, error ?? true, () => give.failed(error)),
      )
    } else if (late) promised?.resolve(result)
  }
  let wasHeld = false
  if (form.kind === 'events') {
    // What it emits is asked of the object it returns: nobody could wait for that.
    beside(start)
    const emitter = 'at' in form.answer && form.answer.at !== undefined ? valueAt(form.answer.at, receiver, args) : result
    if (isEmitter(emitter)) emits(op, emitter, (form.answer as { events: readonly string[] }).events)
  } else {
    beginIn(lane, op, start)
    wasHeld = true
  }
  if (thrown !== undefined) throw thrown.error
  if (state === 'waits') return promised?.promise
  return give && isThenable(result) ? promised!.promise : result
}

function withResolvers(): { readonly promise: Promise<unknown>; resolve(value: unknown): void; reject(error: unknown): void } {
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise((ok, failed_) => {
    resolve = ok
    reject = failed_
  })
  return { promise, resolve, reject }
}

/** Its effect is known, and the program gets to hear of it. */
function finish(op: Op, error: unknown, deliver: () => unknown, result?: unknown): void {
  const row = pending.get(op)
  if (row !== undefined) {
    pending.delete(op)
    session?.addRequest(op, error ? failed(row, error) : returned(row, result))
  }
  answer(op, deliver)
}

/** Whether a lock was taken shows in what is returned: `OK`, 1, true, null. */
function returned(row: RequestRow, answered: unknown): RequestRow {
  const result = answered instanceof Uint8Array && answered.length <= 20 ? Buffer.from(answered).toString() : answered
  const isPlain =
    result === null || typeof result === 'number' || typeof result === 'boolean' || (typeof result === 'string' && result.length <= 20)
  return isPlain ? { ...row, returns: JSON.stringify(result) } : row
}

function failed(row: RequestRow, error: unknown): RequestRow {
  if (!error) return row
  const code: unknown = typeof error === 'object' ? (error as { code?: unknown }).code : undefined
  return { ...row, error: typeof code === 'string' || typeof code === 'number' ? String(code) : 'error' }
}

/** The functions that the client is to call: ours stand in their place. */
function replaceCallbacks(op: Op, one: Answer, receiver: unknown, args: unknown[], resultOf: ResultOf): void {
  if (one.kind === 'callback') replaceAt(one.at, receiver, args, (results) => results[0])
  if (one.kind === 'settle') {
    replaceAt(one.at, receiver, args, () => undefined)
    replaceAt(one.failed, receiver, args, (results) => results[0] ?? true)
  }
  function replaceAt(path: Parameters<typeof holderOf>[0], self: unknown, list: unknown[], errorOf: (results: unknown[]) => unknown): void {
    const place = holderOf(path, self, list)
    const callback: unknown = place && Reflect.get(place.owner, place.step)
    if (place === undefined || typeof callback !== 'function') return
    const ours = function (this: unknown, ...results: unknown[]): void {
      if (place.owner !== list) Reflect.set(place.owner, place.step, callback)
      const error = errorOf(results)
      finish(op, error, () => Reflect.apply(callback, this, results) as unknown, resultOf(results[one.kind === 'settle' ? 0 : 1]))
    }
    Reflect.set(place.owner, place.step, ours)
  }
}

/** Whatever it emits while the client runs is the program's: a turn of the request each. With one of `ends` the request is over. */
export function emits(op: Op, emitter: { emit: AnyFunction }, ends: readonly string[]): void {
  const { emit } = emitter
  Object.defineProperty(emitter, 'emit', {
    configurable: true,
    writable: true,
    value: function (this: unknown, ...args: unknown[]): unknown {
      if (!isOwn()) return Reflect.apply(emit, this, args)
      if (ends.includes(args[0] as string)) {
        const row = pending.get(op)
        pending.delete(op)
        if (row !== undefined) session?.addRequest(op, failed(row, args[0] === 'error' ? (args[1] ?? true) : undefined))
      }
      return runInside(op, () => Reflect.apply(emit, this, args) as unknown)
    },
  })
}
