/**
 * The hooks that instrumented code calls (src/instrument/hooks.ts says when). Each site remembers the object and the segment it saw last: a loop over
 * one object costs a few comparisons.
 */
import { decodeSites } from '../../../instrument/sites.ts'
import type { MakeHooks, MemoryHooks, ModuleHooks } from '../../../instrument/hooks.ts'
import { BRANCH, CALL, READ } from '../../../trace/ops.ts'
import { asksAt, waitsNow } from '../core.ts'
import { executionHooks } from '../calls/executions.ts'
import type { Session } from '../session.ts'
import { latencyHooks } from '../stubs.ts'
import { touch } from '../resources/touch.ts'
import { segment, settle } from '../turns.ts'
import { assign, callMethod, deleteProperty, readAll, readDeep, readIteration, readProperty, writeProperty } from './accesses.ts'
import { addSites, Scope, siteNumber, siteText, startNames } from './names.ts'
import { isObject } from '../../../base/objects.ts'
import { Slot } from './slot.ts'
import { readSlow, startSlots, writeSlow } from './slot-accesses.ts'
import { UNKNOWN } from './value.ts'

export function memoryHooks(session: Session): (file: string, encoded: string) => MemoryHooks {
  startNames(session)
  startSlots(session)
  return (file, encoded) => {
    // A site takes three digits or more: so many numbers are enough, without looking at them.
    const count = Math.ceil(encoded.length / 3)
    const first = addSites(file, count, () => decodeSites(encoded))
    return Object.assign(
      new Accesses(first, count),
      latencyHooks(session.config, file, encoded),
      detailHooks(session, first),
      executionHooks(session, first),
    )
  }
}

/** Those that code calls all the time: methods, so that the engine compiles them once and not for each module. */
class Accesses implements Pick<MemoryHooks, AccessHook> {
  private readonly lastBase: unknown[]
  private readonly lastKey: unknown[]
  private readonly lastSegment: Int32Array

  constructor(
    private readonly first: number,
    count: number,
  ) {
    this.lastBase = Array.from({ length: count })
    this.lastKey = Array.from({ length: count })
    this.lastSegment = new Int32Array(count).fill(-1)
  }

  private sameAgain(base: unknown, key: unknown, site: number): boolean {
    settle()
    if (this.lastBase[site] === base && this.lastSegment[site] === segment && this.lastKey[site] === key) return true
    this.lastBase[site] = base
    this.lastKey[site] = key
    this.lastSegment[site] = segment
    return false
  }

  private method(base: unknown, name: string, site: number, key: unknown): void {
    if (!isObject(base)) return
    settle()
    callMethod(base, name, this.first + site, key)
  }

  r<T>(base: T, key: unknown, site: number): T {
    if (isObject(base) && !this.sameAgain(base, key, site)) readProperty(base, key, this.first + site)
    return base
  }
  w<V>(base: unknown, key: unknown, site: number, value: V): V {
    if (isObject(base) && !this.sameAgain(base, key, site)) writeProperty(base, key, this.first + site, value)
    return value
  }
  u<V>(base: unknown, key: unknown, site: number, result: V, add: number): V {
    if (!isObject(base) || this.sameAgain(base, key, site)) return result
    readProperty(base, key, this.first + site)
    writeProperty(base, key, this.first + site, sum(result, add))
    return result
  }
  y(base: unknown, key: unknown, site: number): void {
    if (isObject(base) && !this.sameAgain(base, key, site)) writeProperty(base, key, this.first + site, UNKNOWN)
  }
  d<T>(base: T, key: unknown, site: number): T {
    if (isObject(base)) {
      settle()
      deleteProperty(base, key, this.first + site)
    }
    return base
  }

  m<T>(base: T, name: string, site: number): T {
    this.method(base, name, site, undefined)
    return base
  }
  g<L>(base: unknown, name: string, site: number, last: L): L {
    this.method(base, name, site, last)
    return last
  }
  h<L>(base: unknown, name: string, site: number, key: unknown, last: L): L {
    this.method(base, name, site, key)
    return last
  }
  i<T>(iterable: T, site: number): T {
    if (isObject(iterable)) {
      settle()
      readIteration(iterable, this.first + site)
    }
    return iterable
  }
  o<T>(object: T, site: number): T {
    if (isObject(object)) {
      settle()
      readAll(object, this.first + site)
    }
    return object
  }
  j<T>(value: T, site: number): T {
    if (isObject(value)) {
      settle()
      readDeep(value, this.first + site)
    }
    return value
  }
  f<T>(target: unknown, site: number, source: T): T {
    settle()
    assign(target, source, this.first + site)
    return source
  }
  t<T>(base: T, site: number): T {
    touch([{ op: READ, location: 'clock' }], siteNumber(this.first + site))
    return base
  }

  q(site: number): number {
    return asksAt(this.first + site)
  }
  z<V>(before: number, value: V): V {
    waitsNow(before)
    return value
  }

  s(firstSite: number, variables: number): Scope {
    return new Scope(this.first + firstSite, variables)
  }
  vr<V>(scope: object, index: number, site: number, value: V): V {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastRead !== segment && slot.lastWrite !== segment) readSlow(slot, scope, this.first + site)
    return value
  }
  vw<V>(scope: object, index: number, site: number, value: V): V {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastWrite !== segment) writeSlow(slot, scope, this.first + site, value)
    return value
  }
  vu<V>(scope: object, index: number, site: number, result: V, add: number): V {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastWrite === segment) return result
    if (slot.lastRead !== segment) readSlow(slot, scope, this.first + site)
    writeSlow(slot, scope, this.first + site, sum(result, add))
    return result
  }
}

type AccessHook = 'r' | 'w' | 'u' | 'y' | 'd' | 'm' | 'g' | 'h' | 'i' | 'o' | 'j' | 'f' | 't' | 'q' | 'z' | 's' | 'vr' | 'vw' | 'vu'

const variable = (scope: Scope, index: number): Slot => (scope.slots[index] ??= new Slot(index))

/** Branches and calls, under the name of their place. */
function detailHooks(session: Session, first: number): Pick<ModuleHooks, 'b' | 'c'> {
  const add = (op: number, site: number, name?: string, value?: number): void => {
    settle()
    session.add(op, session.names.intern(name ?? siteText(first + site)), value, siteNumber(first + site))
  }
  return {
    b(site, value) {
      add(BRANCH, site, undefined, session.values.codeOf(Boolean(value)))
      return value
    },
    c: (site, name) => add(CALL, site, name),
  }
}

/**
 * Runs every common hook often enough to be compiled, with all kinds of objects and keys: what the engine has not seen by then makes it compile all of it again. Nothing of it gets into the trace: nobody
 * else touches these objects.
 */
export function warmUp(make: MakeHooks): void {
  const hooks = make('', '\n')
  const scope = hooks.s(0, 1)
  for (let i = 0; i < 300; i++) {
    const object: Record<string, number> = {}
    object['a'] = hooks.w(object, 'a', 0, i)
    hooks.vw(scope, 0, 0, hooks.vr(scope, 0, 0, i))
    const list: number[] = []
    list.push(hooks.g(list, 'push', 0, hooks.r(object, 'a', 0)['a']!))
    if (i % 10 > 0) continue
    for (const key of ['', 'length', `${i}`, i, Symbol.iterator]) {
      hooks.er(list, key, 0)
      hooks.er(object, key, 0)
      hooks.ew(object, key, 0, i)
    }
    hooks.r(undefined, 'a', 0)
    // An object that is a key would get a number.
    hooks.g(new Map(), 'get', 0, i)
    hooks.g(new Set(), 'add', 0, i)
    hooks.i(list, 0)
    hooks.o(object, 0)
  }
}

function sum(result: unknown, add: number): unknown {
  if (typeof result === 'bigint') return result + BigInt(add)
  return typeof result === 'number' ? result + add : UNKNOWN
}
