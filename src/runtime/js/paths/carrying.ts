/**
 * Hooks without tags: they carry out operations and report decisions. They are used in replays, and by instrumented code that runs where nothing is
 * recorded and nothing is reported. Every result of an operation has the tag 1 here, which distinguishes decisions on constants from others.
 */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { carryCalls } from './carry-calls.ts'
import { carryOperators } from './carry-operators.ts'
import { carryPatterns } from './carry-patterns.ts'
import { carryProperties } from './carry-properties.ts'
import { Carried } from './carried.ts'
import type { Told } from './told.ts'
import { usualHooks } from './usual.ts'

/** `first`: the number of the module's first site. */
export function carryingHooks(inner: ModuleHooks, first: number, told: Told): PathHooks {
  const carried = new Carried(inner, first, told)
  return {
    T: carried.T,
    ...carryOperators(carried),
    ...carryProperties(carried),
    ...carryCalls(carried),
    ...carryPatterns(carried),
    ...usualHooks(inner),
  }
}
