/** Hooks of a suite run in their role: those of each test as parts of its session, beforeAll as setup. Each is wrapped once. */
import type { Hook, Hooks } from './api.ts'

type Around = <T>(body: () => T) => Promise<Awaited<T>>

const wrapped = new WeakSet<Hook>()

export function wrapHooks(hooks: Hooks, part: Around, setup: Around): void {
  wrapAll(hooks.beforeEach, part)
  wrapAll(hooks.afterEach, part)
  wrapAll(hooks.beforeAll, setup)
}

function wrapAll(hooks: Hook[], around: Around): void {
  for (const [i, hook] of hooks.entries()) {
    if (wrapped.has(hook)) continue
    const run: Hook = async (...args) => {
      const cleanUp = await around(() => hook(...args))
      // What a before hook returns is called after the test, or after the suite.
      return typeof cleanUp === 'function' ? (...rest: unknown[]) => around(() => (cleanUp as Hook)(...rest)) : cleanUp
    }
    // Vitest hangs its time-outs on the function.
    hooks[i] = Object.assign(run, hook)
    wrapped.add(hooks[i])
  }
}
