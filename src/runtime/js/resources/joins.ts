/** What continues after Promise.all or allSettled depends on every one of the promises, not only on the one that settled last. */
import { dependsOn, isOwn, watchJoins } from '../core.ts'
import { replaceMethod } from './stand-in.ts'

export function wrapJoins(): void {
  watchJoins()
  for (const name of ['all', 'allSettled']) {
    replaceMethod(
      Promise,
      name,
      (original) =>
        function (this: unknown, ...args) {
          const inputs: unknown = args[0]
          const joined: unknown = original.apply(this, args)
          // Other iterables can be walked only once.
          if (Array.isArray(inputs) && joined instanceof Promise && !isOwn()) dependsOn(joined, [...(inputs as unknown[])])
          return joined
        },
    )
  }
}
