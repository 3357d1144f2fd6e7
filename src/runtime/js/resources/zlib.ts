/** `zlib.gunzip(buffer, callback)` and its like: one operation each, though the engine works in steps underneath. */
import * as zlib from 'node:zlib'
import { syncBuiltinESMExports } from 'node:module'
import { isOwn } from '../core.ts'
import { begin, finish, postOperation, type Plan } from './operation.ts'
import { replaceMethod, type AnyFunction } from './stand-in.ts'

const NAMES = 'deflate inflate gzip gunzip deflateRaw inflateRaw unzip brotliCompress brotliDecompress zstdCompress zstdDecompress'.split(
  ' ',
)
const NO_EFFECT: Plan = { effects: () => [] }

export function wrapZlib(): void {
  const module = process.getBuiltinModule?.('zlib') ?? (zlib as unknown as { default: typeof zlib }).default
  for (const name of NAMES) replaceMethod(module, name, (original) => oneOperation(name, original))
  syncBuiltinESMExports()
}

function oneOperation(name: string, original: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    const callback: unknown = args.at(-1)
    if (isOwn() || typeof callback !== 'function') return original.apply(this, args)
    const op = postOperation('zlib', `zlib.${name}`, callback, NO_EFFECT)
    args[args.length - 1] = function (this: unknown, ...results: unknown[]) {
      finish(op, results[0], results[1], () => (callback as AnyFunction).apply(this, results))
    }
    return begin(op, () => original.apply(this, args))
  }
}
