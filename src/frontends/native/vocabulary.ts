/** The words for native programs: what can be relied on, and the names of steps (kinds.ts has those of the runtime). */
import type { Vocabulary } from '../../trace/vocabulary.ts'
import { VERBS } from './kinds.ts'
import { stepWord, type StepWords } from '../threads/step-words.ts'

/** What takes and frees locks made by hand. */
const MAY_LOCK = new Set(['update', 'store', 'write'])

const WORDS: StepWords = {
  calls: {
    'timed out': 'timed out',
    'try failed': 'try in vain',
    'sem failed': 'semaphore in vain',
    'lock.init': 'init lock',
    'lock.destroy': 'destroy lock',
    'semaphore.init': 'init semaphore',
    'descriptor.open': 'open',
    'descriptor.close': 'close',
    'descriptor.read': 'read descriptor',
    'descriptor.write': 'write descriptor',
    'stream.open': 'open stream',
    'stream.close': 'close stream',
    'stream.read': 'read stream',
    'stream.write': 'write stream',
  },
  signals: {
    barrier: ['leave', 'arrive'],
    pipe: ['read pipe', 'write pipe'],
    semaphore: ['pass semaphore', 'post semaphore'],
    once: ['see once', 'end once'],
  },
  unobserved: { read: 'read bytes', write: 'write bytes' },
}

export const NATIVE: Vocabulary = {
  stepText: (trace, from, to) => stepWord(trace, from, to, WORDS),
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
