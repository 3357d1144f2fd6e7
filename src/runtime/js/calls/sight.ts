/**
 * What instrumented code passes before it calls a method whose name is watched: the receiver. When an object of a class is seen for the first time
 * and calls of the method are wanted, the method is replaced where it is defined: at the prototype, or at the object. From then on every caller is
 * recorded.
 *
 * What cannot be replaced (frozen classes, namespaces of modules) and what Heddle itself needs (collections, promises) is recorded at the call: the
 * hook returns a stand-in for the receiver that has this one method. Getters and proxies are left alone. No code of the program runs.
 */
import { types } from 'node:util'
import type { AnyFunction } from '../resources/stand-in.ts'
import { isClass } from './answers.ts'
import { intrinsics } from './intrinsics.ts'
import { announce, type CallPlace } from './places.ts'
import { foundFor, isWrapped, wrap } from './wrap.ts'

const { hasOwn, getPrototypeOf, getOwnPropertyDescriptor } = Object

/** Stands for a receiver during one call. */
type Stand = (receiver: object) => object

/** The method is recorded where it lives, or nobody asked for it: nothing more to do. */
const RECORDED = Symbol('recorded')
const LEFT = Symbol('left')
type Seen = typeof RECORDED | typeof LEFT | Stand

class Sight {
  /** The prototype seen last that has nothing more to do, and whether its method is recorded. */
  private last: object | undefined
  private lastIsRecorded = false
  private readonly known = new WeakMap<object, Seen>()
  /** Functions, by those they stand for: methods of objects may be the same for many. */
  private readonly wrapped = new WeakMap<object, AnyFunction>()
  private readonly classes = new WeakSet<object>()
  private readonly intrinsics = intrinsics()

  constructor(private readonly name: string) {}

  see(receiver: object, place: CallPlace): object {
    if (types.isProxy(receiver)) return receiver
    let seen: Seen | undefined
    if (hasOwn(receiver, this.name)) seen = this.replace(receiver, receiver)
    else {
      const prototype = getPrototypeOf(receiver) as object | null
      if (prototype === null) return receiver
      if (prototype === this.last) {
        if (this.lastIsRecorded) announce(place, receiver, this.name)
        return receiver
      }
      seen = this.known.get(prototype) ?? this.look(receiver, prototype)
      if (typeof seen === 'symbol') {
        this.last = prototype
        this.lastIsRecorded = seen === RECORDED
      }
    }
    if (seen === undefined || seen === LEFT) return receiver
    announce(place, receiver, this.name)
    return seen === RECORDED ? receiver : seen(receiver)
  }

  /** Undefined if there is no such method yet. */
  private look(receiver: object, prototype: object): Seen | undefined {
    let holder: object | null = prototype
    while (holder !== null && !types.isProxy(holder) && !hasOwn(holder, this.name)) holder = getPrototypeOf(holder) as object | null
    if (holder === null) return undefined
    const result = types.isProxy(holder) ? LEFT : this.replace(receiver, holder)
    this.known.set(prototype, result)
    return result
  }

  /** Replaces the method if its calls are wanted. Returns how to stand for the receiver where it cannot be replaced. */
  private replace(receiver: object, holder: object): Seen {
    const property = propertyOf(holder, this.name)
    const original: unknown = property?.value
    if (typeof original !== 'function' || types.isProxy(original)) return LEFT
    if (isWrapped(original)) return RECORDED
    if (this.classes.has(original) || foundFor(receiver, this.name) === undefined) return LEFT
    const wrapped = this.wrapperOf(original as AnyFunction)
    if (wrapped === undefined) return LEFT
    const replaced =
      (property!.configurable === true || property!.writable === true) &&
      !this.intrinsics.has(holder) &&
      !types.isModuleNamespaceObject(holder) &&
      Reflect.defineProperty(holder, this.name, { ...property, value: wrapped })
    return replaced ? RECORDED : standFor(this.name, wrapped)
  }

  private wrapperOf(original: AnyFunction): AnyFunction | undefined {
    let wrapped = this.wrapped.get(original)
    if (wrapped === undefined) {
      if (isClass(original)) {
        this.classes.add(original)
        return undefined
      }
      this.wrapped.set(original, (wrapped = wrap({ original, method: this.name })))
    }
    return wrapped
  }
}

/** A name that a module exports may not have its value yet. */
function propertyOf(holder: object, name: string): PropertyDescriptor | undefined {
  try {
    return getOwnPropertyDescriptor(holder, name)
  } catch {
    return undefined
  }
}

function standFor(name: string, wrapped: AnyFunction): Stand {
  class Standing {
    readonly #receiver: object
    constructor(receiver: object) {
      this.#receiver = receiver
    }
    static receiverOf(standing: Standing): object {
      return standing.#receiver
    }
  }
  Object.defineProperty(Standing.prototype, name, {
    value: function (this: Standing, ...args: unknown[]): unknown {
      return Reflect.apply(wrapped, Standing.receiverOf(this), args)
    },
  })
  return (receiver) => new Standing(receiver)
}

const sights = new Map<string, Sight>()
let lastName = ''
let lastSight: Sight | undefined

export function see<T>(base: T, name: string, place: CallPlace): T {
  if ((typeof base !== 'object' || base === null) && typeof base !== 'function') return base
  if (name !== lastName || lastSight === undefined) {
    let sight = sights.get(name)
    if (sight === undefined) sights.set(name, (sight = new Sight(name)))
    lastName = name
    lastSight = sight
  }
  return lastSight.see(base, place) as T
}
