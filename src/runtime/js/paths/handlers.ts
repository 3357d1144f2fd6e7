/** Native functions that are followed beyond their arguments: the handler of each, by identity. */
import { asNative, type AnyFunction } from './carry.ts'
import { isObject } from '../../../base/objects.ts'
import { opaqueOver, T } from './expressions.ts'
import { isSeen, made } from './objects.ts'

/** `this` with its tag, arguments with theirs (undefined: nobody knows), the site. Leaves the tag of the result in the register. */
export type Handler = (callee: AnyFunction, self: unknown, ts: number, args: unknown[], tags: number[] | undefined, site: number) => unknown

export const HANDLERS = new Map<unknown, Handler>()

/** Call before the program can replace them. */
export function handle(owner: object, names: string, handler: Handler): void {
  for (const name of names.split(' ')) {
    const callee: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value
    if (typeof callee !== 'function') continue
    HANDLERS.set(callee, handler)
    asNative(callee as AnyFunction)
  }
}

export const tagAt = (tags: readonly number[] | undefined, i: number): number => tags?.[i] ?? 0

/** One tag for several. */
export function together(value: unknown, tags: readonly number[] | undefined): number {
  let found = 0
  for (const tag of tags ?? []) {
    if (tag === 0 || tag === found) continue
    if (found !== 0) return opaqueOver(value, tags)
    found = tag
  }
  return found
}

/** Native code has made this from something with this tag. */
export function adopt(result: unknown, tag: number): void {
  if (isObject(result) && typeof result !== 'function' && !isSeen(result)) made(result).origin = tag
}

/** The same where it makes a new object whatever happens: which one it is depends on nothing, only what is in it. */
export function adoptNew(result: unknown): void {
  adopt(result, T.t)
  T.t = 0
}

/** So many parts of a whole are looked at one by one. */
export const EACH = 32
