/**
 * `WebAssembly.compile` and `instantiate`: the engine works in threads of its own and settles the promise when it is done, without an operation that
 * async_hooks reports. (`fetch` compiles its parser this way.) Here it is an operation like those of the thread pool, and answers from the poll
 * phase.
 */
import { stat } from 'node:fs'
import { isOwn, unseen } from '../core.ts'
import { calledByLoader } from '../stack.ts'
import { begin, finish, postOperation, type Plan } from './operation.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

const NO_EFFECT: Plan = { effects: () => [] }

export function wrapWasm(): void {
  const engine = Reflect.get(globalThis, 'WebAssembly') as object | undefined
  if (engine === undefined) return
  for (const name of ['compile', 'instantiate']) replaceMethod(engine, name, (original) => oneOperation(name, original))
}

function oneOperation(name: string, original: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    if (isOwn() || calledByLoader()) return original.apply(this, args)
    const op = postOperation('crypto', `WebAssembly.${name}`, {}, NO_EFFECT)
    return new Promise((resolve, reject) => {
      const answer = (error: unknown, result: unknown, deliver: () => void): void =>
        unseen(() => stat('/', () => finish(op, error, result, deliver)))
      begin(op, () => {
        ;(original.apply(this, args) as Promise<unknown>).then(
          (result) => answer(undefined, result, () => resolve(result)),
          (error: unknown) => answer(error ?? true, undefined, () => reject(error as Error)),
        )
      })
    })
  }
}
