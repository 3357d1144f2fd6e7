/** Functions that return promises: which promises their results come from. */
import { types } from 'node:util'
import { native, type AnyFunction } from './calls.ts'
import { handle, tagAt, type Handler } from './handlers.ts'
import { opaque, T } from './expressions.ts'
import { knownOf } from './objects.ts'
import { isSettler, joins, Outcome, reacts, settles, settlesWith } from './promises.ts'

/** What it is given changes nothing in what comes. */
const finallyOf: unknown = Object.getOwnPropertyDescriptor(Promise.prototype, 'finally')?.value

/** What comes back is a new promise: which one it is depends on nothing. */
const isPromise = (value: unknown): value is Promise<unknown> => types.isPromise(value) && !types.isProxy(value)

/** Call before the program's first line, after everything that Heddle puts in the place of functions of Promise. */
export function notePromises(): void {
  handle(Promise.prototype, 'then catch finally', (callee, self, ts, args, tags) => {
    const result = native(callee, self, ts, args, tags, 0)
    if (isPromise(result) && isPromise(self)) reacts(result, self, callee !== finallyOf)
    return result
  })

  const settling: Handler = (callee, self, ts, args, tags) => {
    const result = native(callee, self, ts, args, tags, 0)
    // A promise is given back as it is.
    if (!isPromise(result) || result === args[0]) return result
    const outcome = new Outcome()
    settlesWith(outcome, args[0], tagAt(tags, 0))
    settles(result, outcome)
    return result
  }
  handle(Promise, 'resolve reject', settling)

  for (const kind of ['all', 'allSettled', 'race', 'any']) {
    handle(Promise, kind, (callee, self, ts, args, tags) => {
      const list = args[0]
      // Other iterables can be walked only once.
      const inputs = Array.isArray(list) ? Array.from(list as unknown[]) : undefined
      const result = native(callee, self, ts, args, tags, 0)
      if (inputs === undefined || !isPromise(result)) return result
      const known = knownOf(list as object)
      const tagOf = (value: unknown, i: number): number => (isPromise(value) ? 0 : opaque(value, known.item(i).tag))
      joins(result, { kind, inputs, tags: inputs.map(tagOf) })
      T.t = 0
      return result
    })
  }

  handle(Promise, 'withResolvers', (callee, self, ts, args, tags) => {
    const result = native(callee, self, ts, args, tags, 0) as { promise: object; resolve: AnyFunction; reject: AnyFunction }
    const outcome = new Outcome()
    settles(result.promise, outcome)
    isSettler(result.resolve, outcome)
    isSettler(result.reject, outcome)
    T.t = 0
    return result
  })
}
