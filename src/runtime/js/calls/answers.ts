/**
 * When a call has its answer: its callback is called, or code that waited for its promise continues.
 *
 * A promise is observed without side effects. Waiting for it would make an unhandled rejection look handled. So Heddle starts to wait when the
 * program does, right before it, and knows the outcome right before the program does. A promise that nothing waits for has no answer.
 */
import { types } from 'node:util'
import { isOwn, onWaits, unseen } from '../core.ts'
import { Identity } from '../identity.ts'
import { dress, type AnyFunction } from '../resources/stand-in.ts'
import { answered, type Call, type Outcome } from './record.ts'

/** The real one. */
// oxlint-disable-next-line typescript/unbound-method
const { then } = Promise.prototype

class Awaited extends Identity {
  #calls: Call[]
  #outcome: Outcome = undefined
  #observed = false
  constructor(promise: object, call: Call) {
    super(promise)
    this.#calls = [call]
  }
  static put(promise: object, call: Call): void {
    if (#calls in promise) (promise as Awaited).#calls.push(call)
    else new Awaited(promise, call)
  }
  /** Somebody begins to wait. Is there somebody who wants to know when it goes on? */
  static waits(promise: object): boolean {
    if (!(#calls in promise)) return false
    const awaited = promise as Awaited
    if (!awaited.#observed) {
      awaited.#observed = true
      if (isPlain(promise)) {
        const ok = (value: unknown): void => void (awaited.#outcome = { returns: value })
        const failed = (error: unknown): void => void (awaited.#outcome = { throws: error })
        unseen(() => Reflect.apply(then, promise, [ok, failed]))
      }
    }
    return true
  }
  static goesOn(promise: object): void {
    if (!(#calls in promise)) return
    const awaited = promise as Awaited
    const calls = awaited.#calls
    if (calls.length === 0 || isOwn()) return
    awaited.#calls = []
    for (const call of calls) answerOnce(call, awaited.#outcome)
    awaited.#outcome = undefined
  }
}

/** Not one of a class of the program's: to wait for such a promise would run the program's code. */
function isPlain(promise: object): boolean {
  return Object.getPrototypeOf(promise) === Promise.prototype && !Object.hasOwn(promise, 'constructor')
}

function answerOnce(call: Call, outcome: Outcome): void {
  if (call.answered) return
  call.answered = true
  answered(call, outcome)
}

export function startAnswers(): void {
  onWaits({ waits: (promise) => Awaited.waits(promise), goesOn: (promise) => Awaited.goesOn(promise) })
}

export function observe(result: unknown, call: Call): void {
  if (types.isPromise(result) && !types.isProxy(result)) Awaited.put(result, call)
}

/** These keep what they are given, to compare it later or to make objects of it: it stays what it is. */
const KEEPS =
  /^(on|once|off|addListener|removeListener|prepend\w*Listener|addEventListener|removeEventListener|(un)?subscribe|emit|then|catch|finally)$/
/** The callback comes first. */
const CALLBACK_FIRST = /^(setTimeout|setInterval|setImmediate)$/

/** Where the callback stands among the arguments; -1 if there is none. */
export function callbackAt(method: string, args: ArrayLike<unknown>): number {
  if (KEEPS.test(method)) return -1
  const at = CALLBACK_FIRST.test(method) ? 0 : args.length - 1
  const callback = args[at]
  if (typeof callback !== 'function' || types.isProxy(callback) || isClass(callback as AnyFunction)) return -1
  return at
}

export const isClass = (made: AnyFunction): boolean => /^class\b/.test(Function.prototype.toString.call(made))

export function answering(callback: AnyFunction, call: Call): AnyFunction {
  const standIn: AnyFunction = function (this: unknown, ...results) {
    if (!isOwn()) answered(call, outcomeOf(results))
    return new.target === undefined
      ? (Reflect.apply(callback, this, results) as unknown)
      : (Reflect.construct(callback, results, new.target === standIn ? callback : new.target) as unknown)
  }
  return dress(standIn, callback)
}

/** Most callbacks get the error first. */
function outcomeOf(results: readonly unknown[]): Outcome {
  const [first, second] = results
  if (first === null || first === undefined) return { returns: second }
  return types.isNativeError(first) ? { throws: first } : { returns: first }
}
