/**
 * The hooks that instrumented code calls (src/instrument/hooks.ts says when). Each site remembers the object it saw last and the segment:
 * a loop that goes over one object costs a few compares.
 */
import { decodeSites } from '../../../instrument/sites.ts'
import type { MakeHooks, MemoryHooks, ModuleHooks } from '../../../instrument/hooks.ts'
import { BRANCH, CALL, READ } from '../../../trace/ops.ts'
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
    const lastBase: unknown[] = []
    const lastKey: unknown[] = []
    const lastSegment: number[] = []
    for (let i = 0; i < count; i++) {
      lastBase.push(undefined)
      lastKey.push(undefined)
      lastSegment.push(-1)
    }

    function sameAgain(base: unknown, key: unknown, site: number): boolean {
      settle()
      if (lastBase[site] === base && lastSegment[site] === segment && lastKey[site] === key) return true
      lastBase[site] = base
      lastKey[site] = key
      lastSegment[site] = segment
      return false
    }

    const method = (base: unknown, name: string, site: number, key: unknown): void => {
      if (!isObject(base)) return
      settle()
      callMethod(base, name, first + site, key)
    }

    return {
      r(base, key, site) {
        if (isObject(base) && !sameAgain(base, key, site)) readProperty(base, key, first + site)
        return base
      },
      w(base, key, site, value) {
        if (isObject(base) && !sameAgain(base, key, site)) writeProperty(base, key, first + site, value)
        return value
      },
      u(base, key, site, result, add) {
        if (!isObject(base) || sameAgain(base, key, site)) return result
        readProperty(base, key, first + site)
        writeProperty(base, key, first + site, sum(result, add))
        return result
      },
      y(base, key, site) {
        if (isObject(base) && !sameAgain(base, key, site)) writeProperty(base, key, first + site, UNKNOWN)
      },
      d(base, key, site) {
        if (isObject(base)) {
          settle()
          deleteProperty(base, key, first + site)
        }
        return base
      },
      m(base, name, site) {
        method(base, name, site, undefined)
        return base
      },
      g(base, name, site, last) {
        method(base, name, site, last)
        return last
      },
      h(base, name, site, key, last) {
        method(base, name, site, key)
        return last
      },
      i(iterable, site) {
        if (isObject(iterable)) {
          settle()
          readIteration(iterable, first + site)
        }
        return iterable
      },
      o(object, site) {
        if (isObject(object)) {
          settle()
          readAll(object, first + site)
        }
        return object
      },
      j(value, site) {
        if (isObject(value)) {
          settle()
          readDeep(value, first + site)
        }
        return value
      },
      f(target, site, source) {
        settle()
        assign(target, source, first + site)
        return source
      },
      t(base, site) {
        touch([{ op: READ, location: 'clock' }], siteNumber(first + site))
        return base
      },
      ...variableHooks(first),
      ...latencyHooks(session.config, file, encoded),
      ...detailHooks(session, first),
      ...executionHooks(session, first),
    }
  }
}

/** Variables that functions share. */
const variableHooks = (first: number): Pick<MemoryHooks, 's' | 'vr' | 'vw' | 'vu'> => ({
  s(firstSite, variables) {
    return new Scope(first + firstSite, variables)
  },
  vr(scope, index, site, value) {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastRead !== segment && slot.lastWrite !== segment) readSlow(slot, scope, first + site)
    return value
  },
  vw(scope, index, site, value) {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastWrite !== segment) writeSlow(slot, scope, first + site, value)
    return value
  },
  vu(scope, index, site, result, add) {
    settle()
    const slot = variable(scope as Scope, index)
    if (slot.lastWrite === segment) return result
    if (slot.lastRead !== segment) readSlow(slot, scope, first + site)
    writeSlow(slot, scope, first + site, sum(result, add))
    return result
  },
})

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

/** Runs every common hook often enough to be compiled. Nothing of it gets into the trace: nobody else touches these objects. */
export function warmUp(make: MakeHooks): void {
  const hooks = make('', '\n')
  const scope = hooks.s(0, 1)
  for (let i = 0; i < 300; i++) {
    const object: Record<string, number> = {}
    object['a'] = hooks.w(object, 'a', 0, i)
    hooks.vw(scope, 0, 0, hooks.vr(scope, 0, 0, i))
    const list: number[] = []
    list.push(hooks.g(list, 'push', 0, hooks.r(object, 'a', 0)['a']!))
  }
}

function sum(result: unknown, add: number): unknown {
  if (typeof result === 'bigint') return result + BigInt(add)
  return typeof result === 'number' ? result + add : UNKNOWN
}
