/**
 * Walks a value as the engine does when it clones it for another thread, and reports the shared buffers and the ports in it. The clone is built like
 * the original, so the same walk over it finds the same things in the same order: that is how buffers are identified.
 *
 * No code of the program runs: getters are left out, and so are proxies, which cannot be cloned. (Elements of arrays are read directly. A getter
 * there is very rare, and checking each element for one would cost more than cloning it.)
 */
import { types } from 'node:util'
import { MessagePort } from 'node:worker_threads'

/** Objects looked at in one value. */
const MOST_OBJECTS = 10_000
/** Elements of arrays looked at in one value: most arrays are long because they are full of numbers. */
const MOST_ELEMENTS = 1_000_000

export type Leaf = SharedArrayBuffer | MessagePort

const typedArray = Object.getPrototypeOf(Int8Array.prototype) as object
const getter = (owner: object, key: string | symbol): (() => unknown) => Object.getOwnPropertyDescriptor(owner, key)!.get!
const typeOfArray = getter(typedArray, Symbol.toStringTag)
const bufferOfArray = getter(typedArray, 'buffer')
const bufferOfDataView = getter(DataView.prototype, 'buffer')
const eachOfMap = Map.prototype.forEach
const eachOfSet = Set.prototype.forEach
const { isArray } = Array
const { isView } = ArrayBuffer
const { getOwnPropertyDescriptor, getPrototypeOf, keys } = Object
const { isAnyArrayBuffer, isMap, isNativeError, isProxy, isSet, isSharedArrayBuffer } = types
const plain = Object.prototype

const bufferOf = (view: ArrayBufferView): unknown => (typeOfArray.call(view) === undefined ? bufferOfDataView : bufferOfArray).call(view)

export interface Walked {
  /** False when the value is too big and was not looked at in full. */
  readonly complete: boolean
  /** There were getters: what comes out of them is in the clone, too, perhaps before what was met. */
  readonly getters: boolean
}
const NOTHING_SPECIAL: Walked = { complete: true, getters: false }

/** Calls `meet` for each shared buffer and each port, once. */
export function walk(root: unknown, meet: (leaf: Leaf) => void): Walked {
  if (typeof root !== 'object' || root === null) return NOTHING_SPECIAL
  // By far the most big messages: no need for lists.
  if (isView(root) && !isSharedArrayBuffer(bufferOf(root))) return NOTHING_SPECIAL
  const queue: object[] = [root]
  const seen = new Set<object>(queue)
  let complete = true
  let getters = false
  let elements = 0
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    if (queue.length === MOST_OBJECTS) {
      complete = false
      return
    }
    seen.add(value)
    queue.push(value)
  }
  const addOwn = (object: object, key: string): void => {
    const property = getOwnPropertyDescriptor(object, key)
    if (property === undefined) return
    if ('value' in property) add(property.value)
    else getters = true
  }
  for (let i = 0; i < queue.length; i++) {
    const object = queue[i]!
    if (isProxy(object)) continue
    if (isArray(object)) {
      const length = Math.min(object.length, MOST_ELEMENTS - elements)
      elements += length
      if (length < object.length) complete = false
      for (let at = 0; at < length; at++) add(object[at])
    } else if (isView(object)) {
      const buffer = bufferOf(object)
      if (isSharedArrayBuffer(buffer)) add(buffer)
    } else {
      const prototype: unknown = getPrototypeOf(object)
      if (prototype !== plain && prototype !== null) {
        if (isSharedArrayBuffer(object) || object instanceof MessagePort) {
          meet(object as Leaf)
          continue
        }
        if (isAnyArrayBuffer(object)) continue
        if (isMap(object)) {
          eachOfMap.call(object, (value, key) => (add(key), add(value)))
          continue
        }
        if (isSet(object)) {
          eachOfSet.call(object, add)
          continue
        }
        // Of an error the engine clones what belongs to errors.
        if (isNativeError(object)) {
          addOwn(object, 'cause')
          continue
        }
      }
      for (const key of keys(object)) addOwn(object, key)
    }
  }
  return complete && !getters ? NOTHING_SPECIAL : { complete, getters }
}

export function portsIn(value: unknown): MessagePort[] {
  const ports: MessagePort[] = []
  walk(value, (leaf) => {
    if (leaf instanceof MessagePort) ports.push(leaf)
  })
  return ports
}
