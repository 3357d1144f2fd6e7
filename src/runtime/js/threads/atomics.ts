/**
 * Atomics on shared buffers as steps. The functions of the global object are replaced; instrumented code calls them through an object that knows the
 * site (`atomicsAt`). Everything that is not a valid call on a known shared buffer is passed to the engine unchanged, so errors are the engine's.
 */
import { exchangeCell, readCell, updateCell, writeCell } from './cells.ts'
import { viewOf, type Element, type View } from './views.ts'
import { notifyCell, waitAsyncCell, waitCell, type AsyncWait } from './waits.ts'

const engine = { ...atomics() }
type Name = 'add' | 'and' | 'exchange' | 'or' | 'sub' | 'xor'
type Any = (...args: unknown[]) => unknown

function atomics(): Record<string, Any> {
  const own = Object.getOwnPropertyDescriptors(Atomics) as Record<string, PropertyDescriptor>
  return Object.fromEntries(Object.entries(own).flatMap(([name, { value }]) => (typeof value === 'function' ? [[name, value as Any]] : [])))
}

/** The view, if Atomics may work on it and it is a known one. */
function viewFor(array: unknown): View | undefined {
  const view = viewOf(array)
  return view?.isAtomic ? view : undefined
}

/** The index as the engine takes it; -1 when it is out of range, or takes code of the program to find out. */
function indexFor(view: View, index: unknown): number {
  if (typeof index === 'number' && view.has(index)) return index
  if (typeof index === 'bigint' || typeof index === 'symbol' || typeof index === 'function') return -1
  if (typeof index === 'object' && index !== null) return -1
  const at = Math.trunc(Number(index)) || 0
  return view.has(at) ? at : -1
}

/** A value as the engine takes it, with the engine's errors; may run code of the program. */
const valueFor = (view: View, value: unknown): Element =>
  typeof value === (view.isBig ? 'bigint' : 'number') ? (value as Element) : view.isBig ? view.held(value) : +(value as number)

function load(site: number, array: unknown, index: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined ? -1 : indexFor(view, index)
  return at < 0 ? engine['load']!(array, index) : readCell(view!, at, true, site)
}

function store(site: number, array: unknown, index: unknown, value: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined ? -1 : indexFor(view, index)
  if (at < 0) return engine['store']!(array, index, value)
  const element = valueFor(view!, value)
  writeCell(view!, at, element, true, site)
  // The engine gives the number back, without its fraction.
  return typeof element === 'number' ? Math.trunc(element) + 0 || 0 : element
}

function update(name: Name, site: number, array: unknown, index: unknown, value: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined ? -1 : indexFor(view, index)
  const change = engine[name]!
  if (at < 0) return change(array, index, value)
  const element = valueFor(view!, value)
  return updateCell(view!, at, () => change(array, at, element) as Element, site)
}

function compareExchange(site: number, array: unknown, index: unknown, wanted: unknown, value: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined ? -1 : indexFor(view, index)
  const change = engine['compareExchange']!
  if (at < 0) return change(array, index, wanted, value)
  const from = valueFor(view!, wanted)
  const to = valueFor(view!, value)
  return exchangeCell(view!, at, view!.held(from), () => change(array, at, from, to) as Element, site)
}

const isWaitable = (view: View): boolean => view.array instanceof Int32Array || view.array instanceof BigInt64Array

function wait(site: number, array: unknown, index: unknown, value: unknown, timeout: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined || !isWaitable(view) ? -1 : indexFor(view, index)
  if (at < 0) return engine['wait']!(array, index, value, timeout)
  return waitCell(view!, at, view!.held(value), milliseconds(timeout), site)
}

function waitAsync(site: number, array: unknown, index: unknown, value: unknown, timeout: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined || !isWaitable(view) ? -1 : indexFor(view, index)
  if (at < 0) return engine['waitAsync']!(array, index, value, timeout)
  return waitAsyncCell(view!, at, view!.held(value), milliseconds(timeout), site) satisfies AsyncWait
}

function milliseconds(timeout: unknown): number {
  const ms = +(timeout as number)
  return Number.isNaN(ms) ? Infinity : Math.max(ms, 0)
}

function notify(site: number, array: unknown, index: unknown, count: unknown): unknown {
  const view = viewFor(array)
  const at = view === undefined || !isWaitable(view) ? -1 : indexFor(view, index)
  if (at < 0) return engine['notify']!(array, index, count)
  const most = count === undefined ? Infinity : Math.max(0, Math.trunc(+(count as number)) || 0)
  const woken = notifyCell(view!, at, most, site)
  // Threads that we do not know of wait in the engine.
  return woken + (engine['notify']!(array, at, most - woken || 0) as number)
}

/** Atomics as one site calls it. It inherits what it does not know from the program's. */
class AtomicsAt {
  constructor(readonly site: number) {}
  load(array: unknown, index: unknown): unknown {
    return load(this.site, array, index)
  }
  store(array: unknown, index: unknown, value: unknown): unknown {
    return store(this.site, array, index, value)
  }
  add(array: unknown, index: unknown, value: unknown): unknown {
    return update('add', this.site, array, index, value)
  }
  and(array: unknown, index: unknown, value: unknown): unknown {
    return update('and', this.site, array, index, value)
  }
  exchange(array: unknown, index: unknown, value: unknown): unknown {
    return update('exchange', this.site, array, index, value)
  }
  or(array: unknown, index: unknown, value: unknown): unknown {
    return update('or', this.site, array, index, value)
  }
  sub(array: unknown, index: unknown, value: unknown): unknown {
    return update('sub', this.site, array, index, value)
  }
  xor(array: unknown, index: unknown, value: unknown): unknown {
    return update('xor', this.site, array, index, value)
  }
  compareExchange(array: unknown, index: unknown, wanted: unknown, value: unknown): unknown {
    return compareExchange(this.site, array, index, wanted, value)
  }
  wait(array: unknown, index: unknown, value: unknown, timeout: unknown): unknown {
    return wait(this.site, array, index, value, timeout)
  }
  waitAsync(array: unknown, index: unknown, value: unknown, timeout: unknown): unknown {
    return waitAsync(this.site, array, index, value, timeout)
  }
  notify(array: unknown, index: unknown, count: unknown): unknown {
    return notify(this.site, array, index, count)
  }
}
Object.setPrototypeOf(AtomicsAt.prototype, Atomics)

/** Ours, as long as the program has not replaced them. */
const ours = new Map<string, unknown>()
const bySite: (AtomicsAt | undefined)[] = []

/** What instrumented code calls in place of Atomics. */
export function atomicsAt(base: unknown, site: number): unknown {
  return base === Atomics && untouched() ? (bySite[site] ??= new AtomicsAt(site)) : base
}

const untouched = (): boolean => Atomics.load === ours.get('load') && Atomics.wait === ours.get('wait')

export function replaceAtomics(): void {
  const anywhere = new AtomicsAt(-1) as unknown as Record<string, Any>
  for (const name of Object.getOwnPropertyNames(AtomicsAt.prototype)) {
    const before = engine[name]
    if (name === 'constructor' || before === undefined) continue
    const replaced = { [name]: (...args: unknown[]): unknown => anywhere[name]!(...args) }[name]!
    Object.defineProperty(replaced, 'length', { value: before.length, configurable: true })
    ours.set(name, replaced)
    Object.defineProperty(Atomics, name, { value: replaced, writable: true, enumerable: false, configurable: true })
  }
}
