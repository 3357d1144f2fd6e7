/** Native programs, in words: what can be relied on, and what steps are called (steps.ts has which step is which, kinds.ts what the runtime calls them). */
import type { Vocabulary } from '../../trace/vocabulary.ts'
import { VERBS } from './kinds.ts'
import { stepText } from './steps.ts'

/** What takes and frees locks made by hand. */
const MAY_LOCK = new Set(['update', 'store', 'write'])

export const NATIVE: Vocabulary = {
  stepText,
  verbs: VERBS,
  mayLock: (word) => MAY_LOCK.has(word),
  callsAreSteps: true,
  countsAll: true,
  loops: false,
  functionsInSites: true,
  // A deadlock lasts, and a pointer that is not there yet is fatal.
  points: { deadlock: 52, pointer: 4 },
  patienceMs: 400,
  words: {
    message: 'signal',
    race: 'C and C++ promise nothing for a data race: compilers assume there is none.',
    atomically: 'atomically',
  },
}
