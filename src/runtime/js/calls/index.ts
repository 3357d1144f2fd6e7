/** Records the calls that properties name, in recorded runs and in replays. Without a watch nothing is replaced. Only in the main thread. */
import { decodeSites } from '../../../instrument/sites.ts'
import type { CallHooks, ModuleHooks } from '../../../instrument/hooks.ts'
import { addSites } from '../memory/names.ts'
import type { AnyFunction } from '../resources/stand-in.ts'
import type { Session } from '../session.ts'
import { isClass, startAnswers } from './answers.ts'
import { replaceBuiltins } from './builtins.ts'
import { executionHooks } from './executions.ts'
import { announce, CallPlace, CallPlaces, startPlaces } from './places.ts'
import { nameNumber, startRecording } from './record.ts'
import { see } from './sight.ts'
import { Watches } from './watches.ts'
import { isWrapped, startWrapping, wrap } from './wrap.ts'

let watches: Watches | undefined
const functions = new Map<string, WeakMap<object, AnyFunction>>()

/** Call when everything else that replaces Node's functions has done so: a call is recorded where the program makes it. */
export function startCalls(session: Session): void {
  const list = session.config.watch ?? []
  if (list.length === 0) return
  watches = new Watches(list)
  startRecording(session)
  startPlaces(session)
  startWrapping(watches)
  if (watches.asksForAnswers) startAnswers()
  replaceBuiltins(watches)
}

/** What an instrumented module calls. */
export function callHooks(): CallHooks {
  /** By the number of the call in the module. */
  const places: (CallPlace | undefined)[] = []
  return {
    k: (base, name, nth) => (watches === undefined ? base : see(base, name, (places[nth] ??= new CallPlace()))),
    kf(name, callee, nth) {
      if (watches === undefined || typeof callee !== 'function') return callee
      announce((places[nth] ??= new CallPlace()), undefined, name)
      return functionNamed(watches, name, callee) as typeof callee
    },
  }
}

function functionNamed(list: Watches, name: string, callee: object): object {
  let known = functions.get(name)
  if (known === undefined) functions.set(name, (known = new WeakMap()))
  let wrapped = known.get(callee)
  if (wrapped === undefined) {
    const plan = list.functionPlan(name)
    const original = callee as AnyFunction
    // A function that is recorded as a method or of a module is one call.
    const asItIs = plan === undefined || isWrapped(callee) || isClass(original)
    wrapped = asItIs ? original : wrap({ original, method: name, fixed: { plan, name: nameNumber(name), places: new CallPlaces() } })
    known.set(callee, wrapped)
  }
  return wrapped
}

/** For modules that are instrumented for nothing but calls. */
export function onlyCalls(session: Session, file: string, encoded: string): Pick<ModuleHooks, 'e' | 'x'> & CallHooks {
  const first = addSites(file, Math.ceil(encoded.length / 3), () => decodeSites(encoded))
  return { ...callHooks(), ...executionHooks(session, first) }
}
