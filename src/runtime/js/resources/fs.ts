/**
 * `fs` in its three forms. Callback and promise functions are operations; the synchronous ones are accesses of the running segment. Streams are
 * covered because they call `fs.open`, `fs.read` and so on.
 */
import * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { isOwn, unseen } from '../core.ts'
import { begin, finish, postOperation, type Plan } from './operation.ts'
import { openPaths, outcome, pathOf, ROWS, type Row } from './paths.ts'
import { dress, replaceMethod, type AnyFunction } from './stand-in.ts'
import { calledByLoader } from '../stack.ts'
import { touch } from './touch.ts'

export function wrapFs(): void {
  const module = process.getBuiltinModule?.('fs') ?? (fs as unknown as { default: typeof fs }).default
  for (const [name, row] of Object.entries(ROWS)) {
    replaceMethod(module, name, (original) => callbackForm(name, row, original))
    replaceMethod(module, `${name}Sync`, (original) => syncForm(name, row, original))
    replaceMethod(module.promises, name, (original) => promiseForm(name, row, original))
  }
  syncBuiltinESMExports()
}

function planOf(name: string, row: Row, args: readonly unknown[]): Plan {
  // The directory may change, and descriptors are given to other files: the paths are those of now.
  const before = safely(row, args, undefined)
  const closing = name === 'close' ? args[0] : undefined
  if (typeof closing === 'number') openPaths.delete(closing)
  const path = name === 'open' ? pathOf(args[0]) : undefined
  return {
    effects(error, result) {
      if (path !== undefined && !error) noteOpen(path, result)
      return outcome(name === 'mkdtemp' && !error ? safely(row, args, result) : before, error)
    },
  }
}

function safely(row: Row, args: readonly unknown[], result: unknown): ReturnType<Row> {
  try {
    return row(args, result)
  } catch {
    return []
  }
}

function noteOpen(path: string, result: unknown): void {
  if (typeof result === 'number') openPaths.set(result, path)
  else if (typeof result === 'object' && result !== null && 'fd' in result) {
    openPaths.set(result.fd as number, path)
    wrapFileHandle(Object.getPrototypeOf(result) as object)
    // A field of each handle, not a method of the class.
    if (Object.hasOwn(result, 'close')) replaceMethod(result, 'close', (original) => promiseForm('close', ROWS.close!, original, true))
  }
}

function callbackForm(name: string, row: Row, original: AnyFunction): AnyFunction {
  const wrapped: AnyFunction = function (this: unknown, ...args) {
    const callback: unknown = args.at(-1)
    if (isOwn() || typeof callback !== 'function') return original.apply(this, args)
    const plan = planOf(name, row, args)
    const op = postOperation('fs', `fs.${name}`, callback, plan)
    args[args.length - 1] = function (this: unknown, ...results: unknown[]) {
      const [error, result] = name === 'exists' ? [undefined, results[0]] : results
      finish(op, error, result, () => (callback as AnyFunction).apply(this, results))
    }
    return begin(op, () => original.apply(this, args))
  }
  replaceNative(wrapped, original, (native) => callbackForm(name, row, native))
  // Its promise form is made of the function itself, and would go round the wrapper.
  if (name === 'exists') {
    const value = (path: fs.PathLike): Promise<boolean> => new Promise((resolve) => wrapped(path, resolve))
    Object.defineProperty(wrapped, promisify.custom, { value })
  }
  return wrapped
}

function promiseForm(name: string, row: Row, original: AnyFunction, method = false): AnyFunction {
  return function (this: unknown, ...args) {
    if (isOwn()) return original.apply(this, args)
    if (calledByLoader()) return unseen(() => original.apply(this, args) as unknown)
    // A method of a FileHandle acts on the file of the handle.
    const op = postOperation('fs', `fs.${name}`, {}, planOf(name, row, method ? [this, ...args] : args))
    const handle = method && name === 'close' ? (this as { fd: number }) : undefined
    return new Promise((resolve, reject) => {
      begin(op, () => {
        if (handle !== undefined) openPaths.delete(handle.fd)
        ;(original.apply(this, args) as Promise<unknown>).then(
          (result) => finish(op, undefined, result, () => resolve(result)),
          (error: unknown) => finish(op, error ?? true, undefined, () => reject(error as Error)),
        )
      })
    })
  }
}

function syncForm(name: string, row: Row, original: AnyFunction): AnyFunction {
  const wrapped: AnyFunction = function (this: unknown, ...args) {
    if (isOwn()) return original.apply(this, args)
    const plan = planOf(name, row, args)
    let result: unknown
    try {
      result = unseen(() => original.apply(this, args))
    } catch (error) {
      touch(plan.effects(error ?? true, undefined))
      throw error
    }
    touch(plan.effects(undefined, result))
    return result
  }
  replaceNative(wrapped, original, (native) => syncForm(name, row, native))
  return wrapped
}

/** `fs.realpath.native` is a function on a function. */
function replaceNative(wrapped: AnyFunction, original: AnyFunction, make: (native: AnyFunction) => AnyFunction): void {
  const { native } = original as { native?: AnyFunction }
  if (native === undefined) return
  Object.defineProperty(wrapped, 'native', { value: dress(make(native), native), writable: true, configurable: true, enumerable: true })
}

const METHODS = 'read readv readFile write writev writeFile appendFile stat truncate close sync datasync chmod chown utimes'.split(' ')
let handleIsWrapped = false

/** The class of file handles is not exported; the first one shows it. */
function wrapFileHandle(prototype: object): void {
  if (handleIsWrapped) return
  handleIsWrapped = true
  for (const name of METHODS) {
    const row = ROWS[name]!
    replaceMethod(prototype, name, (original) => promiseForm(name, row, original, true))
  }
}
