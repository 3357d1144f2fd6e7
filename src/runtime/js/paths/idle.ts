/** Hooks that only carry out operations: for functions that are sent elsewhere as text, and for modules that run in the loader's thread. */
import { IDLE } from '../memory/idle.ts'
import { carryingHooks } from './carrying.ts'
import { NOBODY } from './told.ts'

export const IDLE_PATHS = carryingHooks(IDLE, 0, NOBODY)
