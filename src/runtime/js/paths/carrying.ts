/**
 * Hooks without tags: they carry out what the program asks for and tell the decisions. Replays use them, and code that got away from where it is
 * recorded, with nobody to tell. Whatever an operation gives has the tag 1 here, so that decisions on constants are known from others.
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
