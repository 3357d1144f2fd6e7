/**
 * Where the values of promises come from, as far as it is known: the call of the async function or callback that settles one, the promise it was made
 * from, or those that Promise.all joined. Where it is not known, the value may depend on everything that its turn has read so far.
 */
import { executionAsyncResource } from 'node:async_hooks'
import { isObject } from '../../../base/objects.ts'
import { opaque, unknown, use } from './expressions.ts'
import { FRESH, output, writeElements } from './locations.ts'
import { made } from './objects.ts'

/** What settles a promise. */
export class Outcome {
  /** Is it known what it was settled with? */
  returned = false
  value: unknown = undefined
  tag = 0
  /** The promise whose outcome it has if nobody changes it. */
  from: object | undefined = undefined
  /** What Promise.all was given, with the tags of what are no promises. */
  joins: Joined | undefined = undefined
}

interface Joined {
  readonly kind: string
  readonly inputs: readonly unknown[]
  readonly tags: readonly number[]
}

const promised = new WeakMap<object, Outcome>()
/** Functions that settle a promise. */
const settlers = new WeakMap<object, Outcome>()
/** Promises of `then` whose callback has not run yet. */
const reacting = new WeakSet()

export const settles = (promise: object, outcome: Outcome): void => void promised.set(promise, outcome)

export function settlesWith(outcome: Outcome, value: unknown, tag: number): void {
  if (outcome.returned) return
  outcome.returned = true
  outcome.value = value
  outcome.tag = tag
}

/** A function that settles a promise was handed out. */
export const isSettler = (settler: object, outcome: Outcome): void => void settlers.set(settler, outcome)

/** A native function is called: perhaps it settles a promise. */
export function noteSettler(callee: object, args: readonly unknown[], tags: readonly number[] | undefined): void {
  const outcome = settlers.get(callee)
  if (outcome !== undefined) settlesWith(outcome, args[0], tags === undefined ? unknown(args[0]) : (tags[0] ?? 0))
}

/** `then` of `from` has given this promise. `changes`: what it brings is what its callback gives. */
export function reacts(promise: object, from: object, changes: boolean): void {
  const outcome = new Outcome()
  outcome.from = from
  promised.set(promise, outcome)
  if (changes) reacting.add(promise)
}

/** What settles the promise whose callback begins right now, if that is what happens. */
export function reactionNow(): Outcome | undefined {
  const promise = executionAsyncResource()
  return reacting.delete(promise) ? promised.get(promise) : undefined
}

export function joins(promise: object, joined: Joined): void {
  const outcome = new Outcome()
  outcome.joins = joined
  promised.set(promise, outcome)
}

/** The tag of what a wait for `awaited` brought. */
export function came(awaited: unknown, tag: number, value: unknown): number {
  if (!isObject(awaited)) return use(tag)
  passed = tag
  const found = find(awaited, value)
  if (found !== undefined) return use(found)
  // Waiting for nothing but that something has happened.
  return value === undefined ? 0 : depends(value, passed)
}

/** The tag of `value`, which a pattern took under this key from what a wait brought. `taken` gives it where the whole is known. */
export function cameIn(awaited: object, key: string, value: unknown, taken: (base: object) => number): number {
  for (let at: unknown = awaited, i = 0; i < LONGEST && isObject(at); i++) {
    const outcome = promised.get(at)
    if (outcome === undefined) break
    const { joins } = outcome
    if (joins?.kind === 'all' && isObject(joins.inputs[Number(key)])) return came(joins.inputs[Number(key)], 0, value)
    at = outcome.returned ? outcome.value : outcome.from
    if (outcome.returned && isObject(at) && !promised.has(at)) return taken(at)
  }
  return came(awaited, 0, value)
}

const depends = (value: unknown, tag: number): number => (tag === 0 ? unknown(value) : opaque(value, tag, unknown(value)))

/** So many promises are looked at that were settled with one another. */
const LONGEST = 20
/** The tag of something else that one of them brought: what was looked for may have been made of it. */
let passed = 0

function find(promise: object, value: unknown): number | undefined {
  let at: unknown = promise
  for (let i = 0; i < LONGEST && isObject(at); i++) {
    const outcome = promised.get(at)
    if (outcome === undefined) return undefined
    if (outcome.returned && Object.is(outcome.value, value)) return outcome.tag
    if (outcome.joins !== undefined) return joined(outcome.joins, value)
    if (outcome.returned && outcome.tag !== 0) passed = outcome.tag
    at = outcome.returned ? outcome.value : outcome.from
  }
  return undefined
}

/** Promise.all and its kin have given this. */
function joined({ kind, inputs, tags }: Joined, value: unknown): number | undefined {
  const part = (i: number, of: unknown): number => (isObject(inputs[i]) ? came(inputs[i], tags[i] ?? 0, of) : use(tags[i] ?? 0))
  if (kind === 'race' || kind === 'any') {
    // Who was first nobody follows.
    const at = inputs.findIndex((input) => (isObject(input) ? find(input, value) !== undefined : Object.is(input, value)))
    return at < 0 ? undefined : depends(value, part(at, value))
  }
  if (!Array.isArray(value) || value.length !== inputs.length) return undefined
  const known = made(value)
  const all: number[] = []
  for (const [i, element] of (value as unknown[]).entries()) {
    let tag: number
    if (kind === 'all') tag = part(i, element)
    else {
      tag = 0
      const { status, ...rest } = element as { status: string; value?: unknown; reason?: unknown }
      const key = status === 'fulfilled' ? 'value' : 'reason'
      const of = part(i, rest[key])
      if (of !== 0) output(made(element as object).place(key), element as object, FRESH, rest[key], of, -1)
    }
    if (tag === 0) continue
    all.push(tag)
    output(known.item(i), value, FRESH, element, tag, -1)
  }
  if (all.length > 0) writeElements(value, known, all.length === 1 ? all[0]! : unknown(value), -1)
  return 0
}
