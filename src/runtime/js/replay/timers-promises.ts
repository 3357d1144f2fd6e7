/** timers/promises on the virtual clock: as Node's lib/timers/promises.js, with the timers of timeout.ts. */
import { post } from './post.ts'
import { replace } from '../replace.ts'
import { clear } from './timeout.ts'

interface Options {
  signal?: AbortSignal
  ref?: boolean
}
type Set = (after?: unknown, value?: unknown, options?: unknown) => unknown
interface PromiseTimers {
  setTimeout: Set
  setInterval: Set
  scheduler: object
}

class AbortError extends Error {
  readonly code = 'ABORT_ERR'
  constructor(signal: AbortSignal) {
    super('The operation was aborted', { cause: signal.reason })
    Object.defineProperty(this, 'name', { value: 'AbortError', configurable: true, writable: true })
  }
}

/** Does Node take these arguments as they are? Everything else is left to it. */
function plain(after: unknown, options: unknown): options is Options {
  if (after !== undefined && typeof after !== 'number') return false
  if (options === undefined) return true
  if (options === null || typeof options !== 'object' || Array.isArray(options)) return false
  const { signal, ref } = options as Options
  return (signal === undefined || signal instanceof AbortSignal) && (ref === undefined || typeof ref === 'boolean')
}

/** Replaces the functions of the module; gives them back. */
export function promiseTimers(module: PromiseTimers): PromiseTimers {
  const { setTimeout: timeoutBefore, setInterval: intervalBefore } = module
  const timeout = (after?: unknown, value?: unknown, options?: unknown): unknown =>
    plain(after, options) ? setTimeoutPromise(after, value, options) : timeoutBefore(after, value, options)
  replace(module, 'setTimeout', timeout)
  replace(module, 'setInterval', (after?: unknown, value?: unknown, options?: unknown): unknown =>
    plain(after, options) ? setIntervalIterator(after, value, options) : intervalBefore(after, value, options),
  )
  replace(module.scheduler, 'wait', (delay?: unknown, options?: unknown): unknown => timeout(delay, undefined, options))
  return module
}

function setTimeoutPromise(after: unknown, value: unknown, { signal, ref = true }: Options = {}): Promise<unknown> {
  if (signal?.aborted) return Promise.reject(new AbortError(signal))
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes
    reject = no
  })
  const timer = post(resolve, after, [value], false, ref)
  if (signal === undefined) return promise
  const cancel = (): void => {
    if (timer._destroyed) return
    clear(timer)
    reject(new AbortError(signal))
  }
  signal.addEventListener('abort', cancel)
  return promise.finally(() => signal.removeEventListener('abort', cancel))
}

async function* setIntervalIterator(after: unknown, value: unknown, { signal, ref = true }: Options = {}): AsyncGenerator<unknown> {
  if (signal?.aborted) throw new AbortError(signal)
  let due = 0
  let go: ((value?: unknown) => void) | undefined
  const timer = post(
    () => {
      due++
      go?.()
      go = undefined
    },
    after,
    undefined,
    true,
    ref,
  )
  const cancel = (): void => {
    clear(timer)
    go?.(Promise.reject(new AbortError(signal!)))
    go = undefined
  }
  signal?.addEventListener('abort', cancel)
  try {
    while (!signal?.aborted) {
      if (due === 0) await new Promise((resolve) => (go = resolve))
      for (; due > 0; due--) yield value
    }
    throw new AbortError(signal)
  } finally {
    clear(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
