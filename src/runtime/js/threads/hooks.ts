/**
 * The hooks of elements and of Atomics. An element of shared memory is read and written here, as a step. All others are passed on to the hooks for
 * the memory of one thread.
 */
import { decodeSites } from '../../../instrument/sites.ts'
import type { ElementHooks, MakeHooks, MemoryHooks } from '../../../instrument/hooks.ts'
import { callHooks } from '../calls/index.ts'
import { addSites } from '../memory/names.ts'
import { atomicsAt } from './atomics.ts'
import { readCell, writeCell } from './cells.ts'
import { control, HAS_BUFFERS } from './control.ts'
import { viewOf, type View } from './views.ts'

/** The index a key names in a typed array; -1 if it names none. */
function indexOf(key: unknown): number {
  if (typeof key === 'number') return key
  if (typeof key === 'bigint') return Number(key)
  return typeof key === 'string' && /^(0|[1-9]\d{0,14})$/.test(key) ? Number(key) : -1
}

const shared = (base: unknown): View | undefined => (control[HAS_BUFFERS] === 0 ? undefined : viewOf(base))

/** Has the value that was read under the key it was read by; everything else is the array's. */
let seenArray: object = {}
let seenKey = ''
let seenValue: unknown
const seen = new Proxy(
  {},
  {
    get: (_target, key) => (key === seenKey ? seenValue : Reflect.get(seenArray, key)),
    has: (_target, key) => Reflect.has(seenArray, key),
  },
)

/** `ew` has made the store that comes next. */
let stored = false

/** Stands for the array where something is stored: swallows what is stored already. Keys that are no indices are the array's. */
const sinkOf = (view: View): object =>
  (view.sink ??= new Proxy(view.array, {
    set(array, key, value) {
      if (stored) {
        stored = false
        return true
      }
      const index = indexOf(key)
      if (!view.has(index)) return Reflect.set(array, key, value)
      writeCell(view, index, view.held(value), false, -1)
      return true
    },
  }))

export function sharedHooks(inner: (file: string, encoded: string) => MemoryHooks): MakeHooks {
  return (file, encoded) => {
    const firstStep = addSites(file, Math.ceil(encoded.length / 3), () => decodeSites(encoded))
    return Object.assign(inner(file, encoded), ELEMENTS, callHooks(), { firstStep })
  }
}

/** What these functions are methods of. */
interface Elements extends MemoryHooks {
  /** The number of the module's first site, as steps have them. */
  readonly firstStep: number
}

/** The same functions for all modules: the engine compiles them once. */
const ELEMENTS: ElementHooks = {
  er(this: Elements, base, key, site) {
    const view = shared(base)
    if (view === undefined) return this.r(base, key, site)
    const index = indexOf(key)
    if (!view.has(index)) return base
    seenValue = readCell(view, index, false, this.firstStep + site)
    seenArray = view.array
    seenKey = String(index)
    return seen as typeof base
  },
  et(base) {
    const view = shared(base)
    return view === undefined ? base : (sinkOf(view) as typeof base)
  },
  ew(this: Elements, base, key, site, value) {
    const view = shared(base)
    if (view === undefined) return this.w(base, key, site, value)
    const index = indexOf(key)
    if (!view.has(index)) return value
    writeCell(view, index, typeof value === 'number' && !view.isBig ? value : view.held(value), false, this.firstStep + site)
    stored = true
    return value
  },
  en: (base, key) => shared(base)?.has(indexOf(key)) ?? false,
  eu(this: Elements, base, key, site, add, prefix) {
    const view = viewOf(base)!
    const index = indexOf(key)
    const before = readCell(view, index, false, this.firstStep + site)
    const after = typeof before === 'bigint' ? before + BigInt(add) : before + add
    writeCell(view, index, after, false, this.firstStep + site)
    return prefix === 1 ? after : before
  },
  p: (value) => value,
  at(this: Elements, base, site) {
    return atomicsAt(base, this.firstStep + site) as typeof base
  },
}
