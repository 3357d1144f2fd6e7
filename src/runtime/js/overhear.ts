/** Hears of the end of a promise of the program without being one who handles it: a rejection that nobody else waits for ends the program as it does without Heddle. */
import { promiseHooks } from 'node:v8'
import { unseen } from './core.ts'

/** By the promise: what follows it for us, and is rejected with it. */
const followers = new WeakMap<object, Promise<void>>()
let watches = false

export function overhear<T>(promise: Promise<T>, fulfilled: (value: T) => void, rejected: () => void = () => undefined): void {
  if (!watches) promiseHooks.onInit(somebodyWaits)
  watches = true
  const ours = unseen(() =>
    promise.then(fulfilled, (reason: unknown) => {
      rejected()
      throw reason
    }),
  )
  followers.set(promise, ours)
}

/** Who waits for it handles it, and our copy of a rejection is of no interest to anybody. */
function somebodyWaits(_: object, parent: object | undefined): void {
  const ours = parent && followers.get(parent)
  if (ours === undefined) return
  followers.delete(parent!)
  unseen(() => ours.then(undefined, () => undefined))
}
