/**
 * A function that records its calls and calls another with the same receiver and arguments. It has the same name, length and properties, and returns
 * or throws what the other one does.
 */
import { types } from 'node:util'
import { isOwn } from '../core.ts'
import { Identity } from '../identity.ts'
import { dress, type AnyFunction } from '../resources/stand-in.ts'
import { answering, callbackAt, observe } from './answers.ts'
import { chainOf, classKey } from './classes.ts'
import { CallPlaces, orOfOperation, takeAnnounced, unannounced } from './places.ts'
import { called, nameNumber, returned, type Call, type Outcome } from './record.ts'
import type { Plan, Watches } from './watches.ts'

/** What is known of a method of a class, or of a function. */
export interface Found {
  readonly plan: Plan
  /** The session's number of its name. */
  readonly name: number
  readonly places: CallPlaces
}

/** Marks a function that records, with the one it calls. */
class Wrapped extends Identity {
  readonly #original: AnyFunction
  constructor(made: AnyFunction, original: AnyFunction) {
    super(made)
    this.#original = original
  }
  static originalOf(made: object): AnyFunction | undefined {
    return #original in made ? (made as Wrapped).#original : undefined
  }
}
export const isWrapped = (made: object): boolean => Wrapped.originalOf(made) !== undefined

let watches: Watches
/** By class and method; null where calls are not wanted. */
const known = new WeakMap<object, Map<string, Found | null>>()

export function startWrapping(list: Watches): void {
  watches = list
}

/** What is wanted of calls of this method with this receiver. */
export function foundFor(receiver: unknown, method: string): Found | undefined {
  if ((typeof receiver !== 'object' || receiver === null) && typeof receiver !== 'function') return undefined
  if (types.isProxy(receiver)) return undefined
  const key = classKey(receiver)
  let methods = known.get(key)
  if (methods === undefined) known.set(key, (methods = new Map()))
  let found = methods.get(method)
  if (found === undefined) {
    const chain = chainOf(receiver)
    const plan = watches.methodPlan(chain, method)
    found = plan === undefined ? null : { plan, name: nameNumber(`${chain.join(':')}.${method}`), places: new CallPlaces() }
    methods.set(method, found)
  }
  return found ?? undefined
}

/** Calls that run now, innermost last: a method that calls the one it overrides, for the same object, is one call. */
const receivers: unknown[] = []
const methods: string[] = []
const sites: number[] = []
/** Something of Heddle's own runs for a call. */
let busy = false

export interface Wrapping {
  readonly original: AnyFunction
  readonly method: string
  /** Functions of modules, and those without a receiver: known from the start. */
  readonly fixed?: Found
  /** Node's loader calls it, too: nobody asked for that. */
  readonly mayLoad?: boolean
}

export function wrap({ original, method, fixed, mayLoad = false }: Wrapping): AnyFunction {
  const firsts = watches.firstsOf(method)
  /** The call, or undefined if it is not to be recorded. */
  const begin = (receiver: unknown, args: ArrayLike<unknown>): Call | undefined => {
    const announced = takeAnnounced(receiver, method)
    if (busy || (firsts !== undefined && !firsts.has(args[0])) || isOwn()) return undefined
    const top = receivers.length - 1
    if (top >= 0 && receivers[top] === receiver && methods[top] === method && receiver !== undefined) return undefined
    const found = fixed ?? foundFor(receiver, method)
    const moments = found && (found.plan.byFirst?.get(args[0]) ?? found.plan.always)
    if (moments === undefined) return undefined
    return guarded(() => {
      const place = announced ?? unannounced(found!.places, sites[top], mayLoad, standIn)
      if (place === undefined) return undefined
      return called(moments, found!.name, fixed === undefined ? receiver : undefined, args, orOfOperation(place.site(standIn)))
    })
  }
  const apply = (receiver: unknown, args: unknown[], call: Call): unknown => {
    const { after, answered } = call.moments
    if (answered) giveCallback(method, args, call)
    receivers.push(receiver)
    methods.push(method)
    sites.push(call.site)
    let result: unknown
    try {
      if (after) result = callAndTell(original, receiver, args, call)
      else result = Reflect.apply(original, receiver, args)
    } finally {
      receivers.pop()
      methods.pop()
      sites.pop()
    }
    if (answered) observe(result, call)
    return result
  }
  // A method without a prototype, as methods and arrow functions are.
  const { recorded } = {
    recorded(this: unknown, ...args: unknown[]): unknown {
      const call = begin(this, args)
      return call === undefined ? Reflect.apply(original, this, args) : apply(this, args, call)
    },
  }
  let standIn = recorded as AnyFunction
  if (Object.hasOwn(original, 'prototype')) {
    standIn = function (this: unknown, ...args) {
      if (new.target !== undefined) return Reflect.construct(original, args, new.target === standIn ? original : new.target) as unknown
      const call = begin(this, args)
      return call === undefined ? (Reflect.apply(original, this, args) as unknown) : apply(this, args, call)
    }
    standIn.prototype = original.prototype as unknown
  }
  // An async function is known by its prototype, a generator, too.
  const kind: unknown = Object.getPrototypeOf(original)
  if (kind !== Function.prototype) Object.setPrototypeOf(standIn, kind as object | null)
  return new Wrapped(dress(standIn, original), original) as unknown as AnyFunction
}

/** An error that nobody catches is shown with the line that threw it; caught on the way, with ours: so this is only done where it is asked for. */
function callAndTell(original: AnyFunction, receiver: unknown, args: unknown[], call: Call): unknown {
  let outcome: Outcome
  try {
    const result: unknown = Reflect.apply(original, receiver, args)
    outcome = { returns: result }
    return result
  } catch (error) {
    outcome = { throws: error }
    throw error
  } finally {
    guarded(() => returned(call, outcome))
  }
}

function giveCallback(method: string, args: unknown[], call: Call): void {
  const at = callbackAt(method, args)
  if (at >= 0) args[at] = answering(args[at] as AnyFunction, call)
}

/** Nothing of ours is thrown into the program, and nothing of ours is recorded. */
function guarded<T>(action: () => T): T | undefined {
  busy = true
  try {
    return action()
  } catch {
    return undefined
  } finally {
    busy = false
  }
}
