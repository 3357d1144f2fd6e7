/**
 * How the program ends, observed from inside without changing it: a call of exit, an uncaught exception, an empty loop, SIGINT and SIGTERM. No
 * listener is added that the program could count: `process.emit` is observed instead, and signals are caught below the level of `process.on`.
 */
import { createHook } from 'node:async_hooks'
import { constants } from 'node:os'
import { CALL, THROW } from '../../trace/ops.ts'
import { turn, unseen, whereThrown } from './core.ts'
import { showOwnSource } from './fatal-error.ts'
import type { Session } from './session.ts'
import { settle } from './turns.ts'

export function watchEnding(session: Session): void {
  watchEmit(session)
  watchExit(session)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) watchSignal(session, signal)
}

/** Replaces a method of process, as invisibly as it goes. */
function replace(
  name: 'emit' | 'exit' | 'reallyExit',
  make: (original: (...args: unknown[]) => unknown) => (...args: unknown[]) => unknown,
): void {
  const before = Reflect.get(process, name) as (...args: unknown[]) => unknown
  const after = make(before)
  Object.defineProperty(after, 'name', { value: before.name, configurable: true })
  Object.defineProperty(after, 'length', { value: before.length, configurable: true })
  const enumerable = Object.prototype.propertyIsEnumerable.call(process, name)
  Object.defineProperty(process, name, { value: after, writable: true, configurable: true, enumerable })
}

function watchEmit(session: Session): void {
  /** What the program dies of. */
  let fatal: { readonly error: unknown; readonly isRejection: boolean } | undefined
  replace(
    'emit',
    (emit) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const event = args[0]
        if (event === 'exit') {
          try {
            return emit.apply(this, args)
          } finally {
            // After the program's own handlers: what they do belongs to the run, and they may still choose another code.
            session.finish(Number(process.exitCode ?? args[1] ?? 0))
            if (fatal !== undefined) showOwnSource(fatal.error, fatal.isRejection)
          }
        }
        const isThrown = event === 'uncaughtException' && this === process
        const handled = isThrown ? whereThrown(() => emit.apply(this, args)) : emit.apply(this, args)
        if (isThrown && handled === false) {
          noteUncaught(session, args[1], args[2])
          fatal = { error: args[1], isRejection: args[2] === 'unhandledRejection' }
        }
        return handled
      },
  )
}

function noteUncaught(session: Session, error: unknown, origin: unknown): void {
  try {
    const isError = error instanceof Error
    const message = isError ? `${error.name}: ${error.message}` : String(error)
    const stack = isError ? String(error.stack) : ''
    settle()
    session.add(THROW, session.names.intern(message))
    session.end = { code: 1, uncaught: { kind: origin === 'unhandledRejection' ? 'rejection' : 'exception', message, stack }, turn }
  } catch {
    // An error whose own properties throw: the exit code still tells.
  }
}

function watchExit(session: Session): void {
  replace(
    'exit',
    (exit) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const code = args[0] ?? process.exitCode ?? 0
        settle()
        session.add(CALL, session.names.intern(`exit ${String(code)}`))
        session.end ??= { code: Number(code), turn }
        return exit.apply(this, args)
      },
  )
  replace(
    'reallyExit',
    (reallyExit) =>
      function (this: unknown, ...args: unknown[]): unknown {
        session.finish(Number(args[0] ?? 0))
        return reallyExit.apply(this, args)
      },
  )
}

interface SignalHandle {
  unref(): void
  start(signal: number): number
  close(): void
  onsignal: () => void
}

type SignalClass = new () => SignalHandle

function watchSignal(session: Session, signal: 'SIGINT' | 'SIGTERM'): void {
  const handle = newSignalHandle()
  if (handle === undefined) return
  handle.unref()
  handle.onsignal = () => {
    // The program's own handlers hear of it by their own handle.
    if (process.listenerCount(signal) > 0) return
    session.finish(undefined)
    handle.close()
    // Closing takes effect at once: the default action, which is death, is in force again.
    process.kill(process.pid, signal)
  }
  handle.start(constants.signals[signal])
}

function newSignalHandle(): SignalHandle | undefined {
  const Signal = (seenSignal ??= watchOneSignal())
  return Signal && unseen(() => new Signal())
}

let seenSignal: SignalClass | undefined

/** Node does not export the class of these handles; a listener that comes and goes makes one, and async_hooks show it. */
function watchOneSignal(): SignalClass | undefined {
  let seen: SignalClass | undefined
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'SIGNALWRAP') seen = resource.constructor as SignalClass
    },
  }).enable()
  const nothing = (): void => {}
  process.on('SIGWINCH', nothing).off('SIGWINCH', nothing)
  hook.disable()
  return seen
}
