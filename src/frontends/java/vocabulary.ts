/** The words for Java programs: what can be relied on, and the names of steps (kinds.ts has those of the agent). */
import type { Vocabulary } from '../../trace/vocabulary.ts'
import { stepWord, type StepWords } from '../threads/step-words.ts'
import { VERBS } from './kinds.ts'

/** What takes and frees locks made by hand. */
const MAY_LOCK = new Set(['update', 'store', 'write'])

const WORDS: StepWords = {
  calls: { 'timed out': 'timed out', 'try failed': 'try in vain', 'sem failed': 'semaphore in vain' },
  signals: {
    barrier: ['leave', 'arrive'],
    semaphore: ['pass semaphore', 'post semaphore'],
    once: ['see once', 'end once'],
    queue: ['take', 'put'],
    task: ['begin task', 'submit'],
    result: ['see result', 'complete'],
    latch: ['pass latch', 'count down'],
    permit: ['park', 'unpark'],
  },
  unobserved: { read: 'read', write: 'write' },
}

export const JAVA: Vocabulary = {
  stepText: (trace, from, to) => stepWord(trace, from, to, WORDS),
  verbs: VERBS,
  mayLock: (word) => MAY_LOCK.has(word),
  callsAreSteps: true,
  countsAll: true,
  loops: false,
  functionsInSites: true,
  points: { deadlock: 52, pointer: 4 },
  patienceMs: 400,
  words: {
    message: 'signal',
    race: 'Java promises little for a data race: a thread may see an old value, or half of a long or double.',
    atomically: 'atomically',
  },
}
