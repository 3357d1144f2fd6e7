/** Functions that read all properties of an object. */
import { types } from 'node:util'
import { readArray } from './arrays.ts'
import { native } from './calls.ts'
import { isObject } from '../../../base/objects.ts'
import { readCollection } from './entries.ts'
import { T } from './expressions.ts'
import { adoptNew, EACH, handle, tagAt, together } from './handlers.ts'
import { input, output, readKeys } from './locations.ts'
import { knownOf } from './objects.ts'

/** Keys and values of an object; those of an array or collection, as a whole. */
export function readObject(object: object, site: number): number {
  if (types.isProxy(object)) return 0
  if (Array.isArray(object)) return readArray(object, site)
  if (types.isMap(object) || types.isSet(object)) return readCollection(object, site)
  const known = knownOf(object)
  const tags = [readKeys(object, known, site)]
  let left = EACH
  for (const key of Object.keys(object)) {
    if (left-- <= 0) break
    const property = Object.getOwnPropertyDescriptor(object, key)
    if (property !== undefined && 'value' in property) tags.push(input(known.place(key), object, known, property.value, site))
  }
  return together(object, tags)
}

handle(Object, 'keys values entries getOwnPropertyNames getOwnPropertyDescriptors fromEntries', (callee, self, ts, args, tags, site) => {
  const more = isObject(args[0]) ? readObject(args[0], site) : 0
  const result = native(callee, self, ts, args, tags, more)
  adoptNew(result)
  return result
})

handle(Object, 'assign', (callee, self, ts, args, tags, site) => {
  const target = args[0]
  if (!isObject(target) || types.isProxy(target)) return native(callee, self, ts, args, tags, 0)
  const known = knownOf(target)
  const written = new Map<string, number>()
  for (let i = 1; i < args.length; i++) {
    const source = args[i]
    if (!isObject(source) || types.isProxy(source)) continue
    const from = knownOf(source)
    for (const key of Object.keys(source)) {
      const property = Object.getOwnPropertyDescriptor(source, key)
      if (property !== undefined && 'value' in property) written.set(key, input(from.place(key), source, from, property.value, site))
    }
  }
  const olds = new Map([...written.keys()].map((key) => [key, Object.getOwnPropertyDescriptor(target, key)?.value as unknown]))
  const result: unknown = Reflect.apply(callee, self, args)
  for (const [key, tag] of written) {
    const property = Object.getOwnPropertyDescriptor(target, key)
    if (property !== undefined && 'value' in property) output(known.place(key), target, olds.get(key), property.value, tag, site)
  }
  T.t = tagAt(tags, 0)
  return result
})

/** As far as a few objects go. */
handle(JSON, 'stringify', (callee, self, ts, args, tags, site) => {
  const found: number[] = []
  if (isObject(args[0])) {
    const seen = new Set<object>([args[0]])
    for (const object of seen) {
      if (types.isProxy(object)) continue
      found.push(readObject(object, site))
      for (const key of Object.keys(object).slice(0, EACH)) {
        const inner: unknown = Object.getOwnPropertyDescriptor(object, key)?.value
        if (isObject(inner) && typeof inner !== 'function' && seen.size < 100) seen.add(inner)
      }
    }
  }
  return native(callee, self, ts, args, tags, together(args[0], found))
})
