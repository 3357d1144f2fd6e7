/** Literals of objects and arrays whose parts have tags. A spread gives its tag to all properties that are not named after it. */
import { opaque, use } from './expressions.ts'
import { EACH, together } from './handlers.ts'
import { FRESH, output, writeElements, writeOrder } from './locations.ts'
import { knownOf } from './objects.ts'

const SPREAD = '...'

export function literal(object: object, site: number, keysAndTags: readonly (string | number)[]): void {
  const known = knownOf(object)
  const array = Array.isArray(object) ? (object as unknown[]) : undefined
  const named = new Map<string | number, number>()
  const spread: number[] = []
  let isSpread = false
  for (let i = 0; i < keysAndTags.length; i += 2) {
    const key = keysAndTags[i]!
    const tag = use(keysAndTags[i + 1] as number)
    if (key === SPREAD) {
      isSpread = true
      spread.push(tag)
      // What came before it may be replaced.
      if (array === undefined) named.clear()
    } else if (array === undefined) named.set(String(key), tag)
    else named.set(Number(key) < 0 ? array.length + Number(key) : Number(key), tag)
  }
  const origin = together(object, spread)
  known.origin = origin
  const write = (key: string | number, tag: number): void => {
    const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value
    output(array === undefined ? known.place(key) : known.item(key as number), object, FRESH, value, tag, site)
  }
  for (const [key, tag] of named) if (tag !== 0 || isSpread) write(key, tag)
  if (array !== undefined) {
    if (origin !== 0) output(known.place('length'), array, FRESH, array.length, opaque(array.length, origin), site)
    if (origin !== 0) writeOrder(array, known, origin, site)
    const all = together(array, [...named.values()])
    if (all !== 0) writeElements(array, known, all, site)
  } else if (origin !== 0) {
    for (const key of Object.keys(object).slice(0, EACH)) {
      if (named.has(key)) continue
      const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value
      write(key, opaque(value, origin))
    }
  }
}
