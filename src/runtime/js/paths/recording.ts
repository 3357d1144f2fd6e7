/**
 * The hooks of a recorded run (src/instrument/paths/hooks.ts): they carry out operations, keep the tags of values, and write rows. The ordinary trace
 * is written by the ordinary hooks, which are called where the ordinary instrumentation would call them.
 */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { PathHooks } from '../../../instrument/paths/hooks.ts'
import { carryingHooks } from './carrying.ts'
import { NOBODY, type Told } from './told.ts'
import { decisionHooks } from './decisions.ts'
import { T } from './expressions.ts'
import { rows } from './here.ts'
import { see } from './objects.ts'
import { OPERATOR_HOOKS } from './operators.ts'
import { patternHooks } from './patterns.ts'
import { callHooks } from './record-calls.ts'
import { propertyHooks } from './record-properties.ts'
import { usualHooks } from './usual.ts'
import { variableHooks } from './variables.ts'

/** Objects have to get their labels, whatever is recorded. */
const ONLY_SEEN: Told = { ...NOBODY, see: (value) => (rows.over ? undefined : see(value)) }

/** `first`: the number of the module's first site. */
export function recordingHooks(inner: ModuleHooks, first: number): PathHooks {
  /** For the time before a window and after it. */
  const quiet = carryingHooks(inner, first, ONLY_SEEN)
  return {
    T,
    ...OPERATOR_HOOKS,
    ...decisionHooks(first),
    ...propertyHooks(inner, first, quiet),
    ...callHooks(inner, first, quiet),
    ...patternHooks(inner, first),
    ...variableHooks(inner, first),
    ...usualHooks(inner),
  }
}
